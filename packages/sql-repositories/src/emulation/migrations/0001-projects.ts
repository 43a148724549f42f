import type { Schema } from '../../dialects/schema.ts'

export async function projects({ createTable, createIndex, types }: Schema): Promise<void> {
  await createTable('emulation_projects')
    .addColumn('id', types.varchar(64), (column) => column.primaryKey())
    .addColumn('path', types.text, (column) => column.notNull())
    .addColumn('temporary', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('revision', types.integer, (column) => column.notNull())
    .execute()
  await createIndex('emulation_projects_age', 'emulation_projects', ['created_at', 'id'])
}
