import type { ApiKeyId } from '@trivium/gateway-core'
import type { KeyInvalidations } from '@trivium/gateway-core/ports'
import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import type { GatewayTables } from './gateway-tables.ts'

/** How soon other replicas receive a change. */
export interface SqlKeyInvalidationsOptions {
  /** Milliseconds between two queries for changes, while the replica has subscribers. @default 250 */
  readonly pollMs?: number
}

/** Number of changes that are kept. A replica that has missed more treats every key as changed. */
const CHANGES_KEPT = 10_000
const TIDY_EVERY = 1_000
const OVERDUE_MS = 500

/**
 * Numbers every change, and queries for new numbers at short intervals. The row of the number is locked while a change
 * is written, so that changes appear in the order of their numbers. Subscribers receive `undefined`, for every key,
 * when a change was missed and while the database does not answer.
 */
export function sqlKeyInvalidations(
  database: Database,
  { pollMs = 250 }: SqlKeyInvalidationsOptions = {},
): KeyInvalidations {
  const kysely = database.kysely.$extendTables<GatewayTables>()
  const { dialect } = database
  const subscriptions = new Set<{ readonly listener: (id: ApiKeyId | undefined) => void }>()
  let known = 0
  let timer: NodeJS.Timeout | undefined

  const notify = (id: ApiKeyId | undefined) => {
    for (const { listener } of subscriptions) {
      try {
        listener(id)
      } catch {
        // The error of one listener must not keep the others from being notified.
      }
    }
  }

  const poll = async () => {
    const changes = await kysely
      .selectFrom('gateway_key_changes')
      .select(['version', 'key_id'])
      .where('version', '>', known)
      .orderBy('version')
      .limit(CHANGES_KEPT)
      .execute()
    for (const { version, key_id } of changes) {
      // A gap means that changes were deleted before they were read. Ids are stored as the gateway created them.
      notify(version === known + 1 ? (key_id as ApiKeyId) : undefined)
      known = version
    }
  }

  const pollAgain = () => {
    timer = setTimeout(async () => {
      // While the database does not answer, any key may have been revoked.
      const overdue = setInterval(() => notify(undefined), OVERDUE_MS)
      try {
        await poll()
      } catch {
        notify(undefined)
      }
      clearInterval(overdue)
      if (subscriptions.size > 0) pollAgain()
      else timer = undefined
    }, pollMs).unref()
  }

  return {
    publish: (id) =>
      transact({ kysely, dialect }, async (transaction) => {
        await transaction
          .updateTable('gateway_key_version')
          .set((is) => ({ version: is('version', '+', 1) }))
          .where('id', '=', 1)
          .execute()
        const version = await currentVersion(transaction)
        await transaction.insertInto('gateway_key_changes').values({ version, key_id: id }).execute()
        if (version % TIDY_EVERY !== 0) return
        await transaction
          .deleteFrom('gateway_key_changes')
          .where('version', '<=', version - CHANGES_KEPT)
          .execute()
      }),

    subscribe: async (listener) => {
      if (timer === undefined) known = await currentVersion(kysely)
      const subscription = { listener }
      subscriptions.add(subscription)
      if (timer === undefined) pollAgain()
      return async () => {
        subscriptions.delete(subscription)
      }
    },
  }
}

async function currentVersion(executor: Kysely<GatewayTables>): Promise<number> {
  const current = executor.selectFrom('gateway_key_version').select('version').where('id', '=', 1)
  return (await current.executeTakeFirstOrThrow()).version
}
