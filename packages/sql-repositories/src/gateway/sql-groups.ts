import {
  changedGroup,
  type Group,
  type GroupId,
  type GroupKind,
  type GroupRepository,
} from '@trivium/gateway-core/ports'
import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import type { GatewayTables, GroupRow } from './gateway-tables.ts'
import { inSteps } from './in-steps.ts'
import { groupTerms, readGroupTerms } from './terms.ts'

/** Stores teams and users in a database that `migrateGateway` has prepared. Any number of processes may share it. */
export function sqlGroups(database: Database): GroupRepository {
  const kysely = database.kysely.$extendTables<GatewayTables>()
  const { dialect } = database

  const rowOf = (executor: Kysely<GatewayTables>, kind: GroupKind, id: GroupId) =>
    executor.selectFrom('gateway_groups').selectAll().where('kind', '=', kind).where('id', '=', id)

  return {
    add: async (group) => {
      const added = await dialect.insertIfAbsent(kysely.insertInto('gateway_groups').values(toRow(group)))
      return added ? 'added' : 'taken'
    },

    find: async (kind, id) => {
      const row = await rowOf(kysely, kind, id).executeTakeFirst()
      return row && fromRow(row)
    },

    list: async ({ kind, after, limit }) => {
      let query = kysely.selectFrom('gateway_groups').selectAll().where('kind', '=', kind)
      if (after !== undefined) {
        const last = await rowOf(kysely, kind, after).executeTakeFirst()
        if (last === undefined) return []
        // Not one comparison of pairs, for which MariaDB uses no index.
        query = query
          .where('created_at', '>=', last.created_at)
          .where((is) => is.or([is('created_at', '>', last.created_at), is('id', '>', last.id)]))
      }
      return (await query.orderBy('created_at').orderBy('id').limit(limit).execute()).map(fromRow)
    },

    namesOf: (kind, ids) =>
      inSteps(ids, async (some) => {
        const rows = await kysely
          .selectFrom('gateway_groups')
          .select(['id', 'name'])
          .where('kind', '=', kind)
          .where('id', 'in', some)
          .execute()
        return rows.map(({ id, name }) => ({ id: id as GroupId, name })) // stored as the gateway created it
      }),

    change: async (kind, id, changes) => {
      try {
        return await transact({ kysely, dialect }, async (transaction) => {
          const row = await dialect.forUpdate(rowOf(transaction, kind, id)).executeTakeFirst()
          if (row === undefined) return undefined
          const changed = changedGroup(fromRow(row), changes)
          const { name, terms } = toRow(changed)
          await transaction
            .updateTable('gateway_groups')
            .set({ name, terms })
            .where('kind', '=', kind)
            .where('id', '=', id)
            .execute()
          return changed
        })
      } catch (error) {
        if (dialect.isDuplicate(error)) return 'taken'
        throw error
      }
    },

    remove: async (kind, id) => {
      const { numDeletedRows } = await kysely
        .deleteFrom('gateway_groups')
        .where('kind', '=', kind)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

const toRow = (group: Group): GroupRow => ({
  kind: group.kind,
  id: group.id,
  name: group.name,
  terms: groupTerms(group),
  created_at: group.createdAt.getTime(),
})

const fromRow = ({ kind, id, name, terms, created_at }: GroupRow): Group => ({
  kind,
  id: id as GroupId, // stored as the gateway created it
  name,
  ...readGroupTerms(terms),
  createdAt: new Date(created_at),
})
