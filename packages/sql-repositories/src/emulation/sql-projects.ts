import type { Project, ProjectId } from '@trivium/emulation-core'
import { type ProjectRepository, withProjectDefaults } from '@trivium/emulation-core/ports'
import type { Database } from '../database.ts'
import type { EmulationTables, ProjectRow } from './emulation-tables.ts'

/** Stores projects in a database that `migrateEmulation` has prepared. */
export function sqlProjects(database: Database): ProjectRepository {
  const kysely = database.kysely.$extendTables<EmulationTables>()

  return {
    find: async (id) => {
      const row = await kysely.selectFrom('emulation_projects').selectAll().where('id', '=', id).executeTakeFirst()
      return row && fromRow(row)
    },

    list: async () => {
      const rows = await kysely
        .selectFrom('emulation_projects')
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map(fromRow)
    },

    add: (project) => database.dialect.insertIfAbsent(kysely.insertInto('emulation_projects').values(toRow(project))),

    replace: async (project) => {
      const { id, ...changes } = toRow(project)
      const { numUpdatedRows } = await kysely
        .updateTable('emulation_projects')
        .set(changes)
        .where('id', '=', id)
        .where('revision', '=', project.revision - 1)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    remove: async (id) => {
      const { numDeletedRows } = await kysely.deleteFrom('emulation_projects').where('id', '=', id).executeTakeFirst()
      return numDeletedRows === 1n
    },
  }
}

function toRow({ id, path, name, temporary, createdAt, revision, ownerId, ...rest }: Project): ProjectRow {
  return {
    id,
    path,
    name: name ?? null,
    temporary: Number(temporary),
    created_at: createdAt.getTime(),
    revision,
    owner_id: ownerId ?? null,
    document: JSON.stringify(rest),
  }
}

function fromRow({ id, path, name, temporary, created_at, revision, owner_id, document }: ProjectRow): Project {
  const createdAt = new Date(created_at)
  // `toRow` created the document from a project.
  const { changedAt, ...rest } = JSON.parse(document ?? '{}') as Partial<JsonOf<Project>>
  return withProjectDefaults({
    ...rest,
    // Ids are stored as they were created.
    id: id as ProjectId,
    path,
    ...(name !== null && { name }),
    temporary: temporary === 1,
    ...(owner_id !== null && { ownerId: owner_id }),
    createdAt,
    changedAt: changedAt === undefined ? createdAt : new Date(changedAt),
    revision,
  })
}

/** Times are texts in JSON. */
type JsonOf<T> = { readonly [Name in keyof T]: T[Name] extends Date ? string : T[Name] }
