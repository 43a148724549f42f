import { sql } from 'kysely'
import type { Schema } from '../../dialects/schema.ts'

const RULES = 'storage_quota_rules'

/** An index for the rules of one volume in the order of their limit of space, of which there may be many. */
export async function rulesOfVolumeBySpace({ createIndex, dialect, kysely }: Schema): Promise<void> {
  const columns = ['volume_name', 'space_hard', 'uuid']
  await createIndex(`${RULES}_by_volume_space`, RULES, columns, { optional: ['space_hard'] })
  if (!dialect.runsInProcess) return
  // SQLite prefers an index without statistics where the others have some.
  const statistics = sql`select 1 from sqlite_master where name = 'sqlite_stat1'`
  if ((await statistics.execute(kysely)).rows.length > 0) await sql`analyze ${sql.table(RULES)}`.execute(kysely)
}
