import type { Schema } from '../../dialects/schema.ts'

/** Where the file systems of volumes are mounted. */
export const mountPoints = ({ addColumn, types }: Schema): Promise<void> =>
  addColumn('storage_volumes', { name: 'mount_point', type: types.text, define: (column) => column })
