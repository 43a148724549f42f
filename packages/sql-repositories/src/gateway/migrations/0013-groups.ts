import type { ColumnDefinitionBuilder } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'

const ID_LENGTH = 64

export async function groups({ createTable, createIndex, addColumn, types }: Schema): Promise<void> {
  await createTable('gateway_groups')
    .addColumn('kind', types.varchar(8), (column) => column.notNull())
    .addColumn('id', types.varchar(ID_LENGTH), (column) => column.notNull())
    .addColumn('name', types.varchar(255), (column) => column.notNull())
    .addColumn('terms', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('gateway_groups_key', ['kind', 'id'])
    .execute()
  await createIndex('gateway_groups_name', 'gateway_groups', ['kind', 'name'], { unique: true })
  await createIndex('gateway_groups_age', 'gateway_groups', ['kind', 'created_at', 'id'])

  const nullable = (column: ColumnDefinitionBuilder) => column
  await addColumn('gateway_api_keys', { name: 'team_id', type: types.varchar(ID_LENGTH), define: nullable })
  await addColumn('gateway_api_keys', { name: 'terms', type: types.text, define: nullable })
  await createIndex('gateway_api_keys_team', 'gateway_api_keys', ['team_id', 'created_at', 'id'])
}
