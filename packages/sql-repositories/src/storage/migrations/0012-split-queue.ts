import { sql } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'

/**
 * The state, place, speed and reason of splits. Processes of the previous release add rows without them. Unfinished
 * splits keep their order, which was that of their start.
 */
export async function splitQueue({ addColumn, createIndex, dropIndex, kysely, types }: Schema): Promise<void> {
  await addColumn('storage_splits', {
    name: 'state',
    type: types.varchar(16),
    define: (column) => column.notNull().defaultTo('waiting'),
  })
  await addColumn('storage_splits', {
    name: 'place',
    type: types.integer,
    define: (column) => column.notNull().defaultTo(0),
  })
  await addColumn('storage_splits', { name: 'rate', type: types.integer, define: (column) => column })
  await addColumn('storage_splits', { name: 'reason', type: types.text, define: (column) => column })
  await sql`update ${sql.table('storage_splits')} set place = started_at where place = 0`.execute(kysely)
  await createIndex('storage_splits_queue', 'storage_splits', ['volume_uuid', 'place', 'uuid'])
  await dropIndex('storage_splits_waiting', 'storage_splits')
}
