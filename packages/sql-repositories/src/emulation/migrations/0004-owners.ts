import type { Schema } from '../../dialects/schema.ts'

export async function owners({ addColumn, types }: Schema): Promise<void> {
  // Processes of the previous release write rows without it.
  await addColumn('emulation_projects', { name: 'owner_id', type: types.varchar(128), define: (column) => column })
}
