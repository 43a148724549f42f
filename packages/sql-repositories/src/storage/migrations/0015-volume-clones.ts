import type { Schema } from '../../dialects/schema.ts'

/** The parents of volumes that are clones. */
export async function volumeClones({ addColumn, types }: Schema): Promise<void> {
  await addColumn('storage_volumes', { name: 'parent_uuid', type: types.varchar(64), define: (column) => column })
  await addColumn('storage_volumes', { name: 'parent_name', type: types.varchar(255), define: (column) => column })
}
