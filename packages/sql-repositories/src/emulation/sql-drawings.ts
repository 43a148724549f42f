import { setImmediate } from 'node:timers/promises'
import type { Drawing, DrawingId, ProjectId } from '@trivium/emulation-core'
import type { DrawingRepository } from '@trivium/emulation-core/ports'
import type { Database } from '../database.ts'
import type { DrawingRow, EmulationTables } from './emulation-tables.ts'

/** The characters that SQLite, which runs in this process, reads in one turn of the event loop. */
const CHARACTERS_IN_TURN = 2 ** 20

/** Stores drawings in a database that `migrateEmulation` has prepared. */
export function sqlDrawings(database: Database): DrawingRepository {
  const kysely = database.kysely.$extendTables<EmulationTables>()

  return {
    find: async (id) => {
      const row = await kysely.selectFrom('emulation_drawings').selectAll().where('id', '=', id).executeTakeFirst()
      return row && fromRow(row)
    },

    list: async (projectId) => {
      const listed = await kysely
        .selectFrom('emulation_drawings')
        .select(['id', 'characters'])
        .where('project_id', '=', projectId)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      const found = new Map<string, Drawing>()
      for (const ids of inGroups(listed)) {
        if (found.size > 0) await setImmediate()
        const rows = await kysely.selectFrom('emulation_drawings').selectAll().where('id', 'in', ids).execute()
        for (const row of rows) found.set(row.id, fromRow(row))
      }
      // One that was removed meanwhile is missing.
      return listed.flatMap(({ id }) => found.get(id) ?? [])
    },

    usage: async (projectId) => {
      const rows = await kysely
        .selectFrom('emulation_drawings')
        .select('characters')
        .where('project_id', '=', projectId)
        .execute()
      return { drawings: rows.length, characters: rows.reduce((sum, { characters }) => sum + characters, 0) }
    },

    add: (drawing) => database.dialect.insertIfAbsent(kysely.insertInto('emulation_drawings').values(toRow(drawing))),

    replace: async (drawing) => {
      const { id, ...changes } = toRow(drawing)
      const { numUpdatedRows } = await kysely
        .updateTable('emulation_drawings')
        .set(changes)
        .where('id', '=', id)
        .where('revision', '=', drawing.revision - 1)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    remove: async (id) => {
      const { numDeletedRows } = await kysely.deleteFrom('emulation_drawings').where('id', '=', id).executeTakeFirst()
      return numDeletedRows === 1n
    },

    removeProject: async (projectId) => {
      await kysely.deleteFrom('emulation_drawings').where('project_id', '=', projectId).execute()
    },
  }
}

/** Splits drawings into groups that are read together. */
function inGroups(drawings: readonly Pick<DrawingRow, 'id' | 'characters'>[]): readonly (readonly string[])[] {
  const groups: string[][] = []
  let left = 0
  for (const { id, characters } of drawings) {
    left -= characters
    const last = groups.at(-1)
    if (last && left >= 0) {
      last.push(id)
      continue
    }
    groups.push([id])
    left = CHARACTERS_IN_TURN - characters
  }
  return groups
}

function toRow({ id, projectId, x, y, z, rotation, locked, svg, createdAt, revision }: Drawing): DrawingRow {
  return {
    id,
    project_id: projectId,
    created_at: createdAt.getTime(),
    revision,
    x,
    y,
    z,
    rotation,
    locked: Number(locked),
    characters: svg.length,
    svg,
  }
}

function fromRow({ id, project_id, created_at, locked, characters: _, ...fields }: DrawingRow): Drawing {
  return {
    ...fields,
    // Ids are stored as they were created.
    id: id as DrawingId,
    projectId: project_id as ProjectId,
    locked: locked === 1,
    createdAt: new Date(created_at),
  }
}
