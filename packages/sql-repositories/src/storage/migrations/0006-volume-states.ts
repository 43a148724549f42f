import type { Schema } from '../../dialects/schema.ts'

export const volumeStates = ({ addColumn, types }: Schema): Promise<void> =>
  addColumn('storage_volumes', {
    name: 'state',
    type: types.varchar(16),
    // Processes of the previous release register volumes without it.
    define: (column) => column.notNull().defaultTo('online'),
  })
