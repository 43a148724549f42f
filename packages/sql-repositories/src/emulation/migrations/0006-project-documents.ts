import type { Schema } from '../../dialects/schema.ts'

export async function projectDocuments({ addColumn, types }: Schema): Promise<void> {
  // Processes of the previous release write rows without it.
  await addColumn('emulation_projects', { name: 'document', type: types.text, define: (column) => column })
}
