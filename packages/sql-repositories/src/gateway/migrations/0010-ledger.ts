import type { ColumnDefinitionBuilder } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'

const ID_LENGTH = 64
/** The longest id of an account: `user:` and 128 characters. */
const ACCOUNT_LENGTH = 133

const columns = ['day_spent', 'month_window', 'month_spent', 'month_shift', 'total_spent']

/** Money beside tokens. A reservation is in several accounts since then, so `gateway_holds` replaces `gateway_reservations`. */
export async function ledger({ kysely, createTable, createIndex, addColumn, types }: Schema): Promise<void> {
  const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
  for (const name of columns) await addColumn('gateway_budgets', { name, type: types.integer, define: zero })

  await createTable('gateway_holds')
    .addColumn('id', types.varchar(ID_LENGTH), (column) => column.notNull())
    .addColumn('key_id', types.varchar(ACCOUNT_LENGTH), (column) => column.notNull())
    .addColumn('tokens', types.integer, (column) => column.notNull())
    .addColumn('cost', types.integer, (column) => column.notNull())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .addColumn('made_at', types.integer, (column) => column.notNull())
    .addColumn('receipt', types.text)
    .addColumn('has_receipt', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('gateway_holds_key', ['id', 'key_id'])
    .execute()
  await createIndex('gateway_holds_account', 'gateway_holds', ['key_id', 'expires_at'])
  await createIndex('gateway_holds_expiry', 'gateway_holds', ['has_receipt', 'expires_at', 'id'])

  await createTable('gateway_receipts')
    .addColumn('id', types.varchar(ID_LENGTH), (column) => column.primaryKey())
    .addColumn('settled_at', types.integer, (column) => column.notNull())
    .addColumn('receipt', types.text, (column) => column.notNull())
    .execute()
  await createIndex('gateway_receipts_age', 'gateway_receipts', ['settled_at', 'id'])

  // Running requests of the previous release then settle nothing.
  await kysely.schema.dropTable('gateway_reservations').ifExists().execute()
}
