import type { Schema } from '../../dialects/schema.ts'

export async function drawings({ createTable, createIndex, types }: Schema): Promise<void> {
  await createTable('emulation_drawings')
    .addColumn('id', types.varchar(64), (column) => column.primaryKey())
    .addColumn('project_id', types.varchar(64), (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('revision', types.integer, (column) => column.notNull())
    .addColumn('x', types.integer, (column) => column.notNull())
    .addColumn('y', types.integer, (column) => column.notNull())
    .addColumn('z', types.integer, (column) => column.notNull())
    .addColumn('rotation', types.integer, (column) => column.notNull())
    .addColumn('locked', types.integer, (column) => column.notNull())
    .addColumn('characters', types.integer, (column) => column.notNull())
    // The last one, so that the others are read without it.
    .addColumn('svg', types.text, (column) => column.notNull())
    .execute()
  await createIndex('emulation_drawings_project', 'emulation_drawings', ['project_id', 'created_at', 'id'])
}
