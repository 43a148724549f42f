import { sql } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'

/** The user of a clone token, and the volume of a job. Processes of the previous release add rows without them. */
export async function owners({ addColumn, kysely, types }: Schema): Promise<void> {
  await addColumn('storage_clone_tokens', { name: 'owner_id', type: types.varchar(128), define: (column) => column })
  await addColumn('storage_jobs', { name: 'volume_uuid', type: types.varchar(64), define: (column) => column })
  // Lanes are `quotas/UUID` and `clones/UUID`.
  await sql`update ${sql.table('storage_jobs')} set volume_uuid = substr(lane, 8) where volume_uuid is null`.execute(
    kysely,
  )
}
