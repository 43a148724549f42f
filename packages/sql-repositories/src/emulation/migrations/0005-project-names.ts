import type { Schema } from '../../dialects/schema.ts'

export async function projectNames({ addColumn, types }: Schema): Promise<void> {
  // Processes of the previous release write rows without it.
  await addColumn('emulation_projects', { name: 'name', type: types.varchar(255), define: (column) => column })
}
