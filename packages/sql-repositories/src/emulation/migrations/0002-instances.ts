import type { Schema } from '../../dialects/schema.ts'

export async function instances({ createTable, createIndex, types }: Schema): Promise<void> {
  await createTable('emulation_instances')
    .addColumn('id', types.varchar(64), (column) => column.primaryKey())
    .addColumn('project_id', types.varchar(64), (column) => column.notNull())
    .addColumn('kind', types.varchar(32), (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('revision', types.integer, (column) => column.notNull())
    .addColumn('document', types.text, (column) => column.notNull())
    .execute()
  await createIndex('emulation_instances_age', 'emulation_instances', ['created_at', 'id'])
  await createIndex('emulation_instances_project', 'emulation_instances', ['project_id', 'created_at', 'id'])
  await createTable('emulation_removals')
    .addColumn('project_id', types.varchar(64), (column) => column.notNull())
    .addColumn('kind', types.varchar(32), (column) => column.notNull())
    .addColumn('id', types.varchar(64), (column) => column.notNull())
    .addColumn('position', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('emulation_removals_key', ['project_id', 'kind', 'id'])
    .execute()
}
