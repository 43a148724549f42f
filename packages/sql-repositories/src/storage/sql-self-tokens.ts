import type { SelfToken } from '@trivium/storage-core'
import {
  type SelfTokenField,
  type SelfTokenId,
  type SelfTokenRepository,
  selfTokenFields,
} from '@trivium/storage-core/ports'
import type { Database } from '../database.ts'
import { transact } from '../transact.ts'
import { countRecords, listRecords } from './queries/list-records.ts'
import type { RecordSource } from './queries/record-source.ts'
import type { SelfTokenRow, StorageTables } from './storage-tables.ts'

const source: RecordSource<SelfToken, SelfTokenField, SelfTokenRow> = {
  table: 'storage_self_tokens',
  catalogue: selfTokenFields,
  optional: ['userName', 'userId'],
  fromRow,
}

/** Stores the tokens of users. */
export function sqlSelfTokens(database: Database): SelfTokenRepository {
  const kysely = database.kysely.$extendTables<StorageTables>()
  const { dialect } = database
  const where = async (column: 'uuid' | 'hash', value: string) => {
    const row = await kysely.selectFrom('storage_self_tokens').selectAll().where(column, '=', value).executeTakeFirst()
    return row && fromRow(row)
  }

  return {
    add: (token, hash, maximum) =>
      transact({ kysely, dialect }, async (transaction) => {
        await dialect
          .forUpdate(transaction.selectFrom('storage_locks').selectAll().where('name', '=', 'self-tokens'))
          .execute()
        const counted = await transaction
          .selectFrom('storage_self_tokens')
          .select((is) => is.fn.countAll<number | string>().as('count'))
          .executeTakeFirst()
        if (Number(counted?.count) >= maximum) return 'too-many'
        await transaction.insertInto('storage_self_tokens').values(toRow(token, hash)).execute()
        return 'added'
      }),
    ofHash: (hash) => where('hash', hash),
    find: (uuid) => where('uuid', uuid),
    list: (request) => listRecords(database, source, request),
    count: (query) => countRecords(database, source, query),
    remove: async (uuid) => {
      const { numDeletedRows } = await kysely
        .deleteFrom('storage_self_tokens')
        .where('uuid', '=', uuid)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },
    removeExpired: async (now) => {
      const { numDeletedRows } = await kysely
        .deleteFrom('storage_self_tokens')
        .where('expires_at', '<=', now.getTime())
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

const toRow = ({ uuid, user, createdAt, expiresAt }: SelfToken, hash: string): SelfTokenRow => ({
  uuid,
  hash,
  user_name: 'name' in user ? user.name : null,
  user_id: 'id' in user ? user.id : null,
  created_at: createdAt.getTime(),
  expires_at: expiresAt.getTime(),
})

function fromRow({ uuid, user_name, user_id, created_at, expires_at }: SelfTokenRow): SelfToken {
  return {
    uuid: uuid as SelfTokenId, // stored as it was in the token
    user: user_id === null ? { name: user_name ?? '' } : { id: user_id },
    createdAt: new Date(created_at),
    expiresAt: new Date(expires_at),
  }
}
