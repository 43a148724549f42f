import type { Kysely } from 'kysely'
import type { StorageTables } from './storage-tables.ts'

/** The part of a repository with leases that is about the workers which hold them. */
export interface LeaseOwners {
  /** The owners of live leases, each once, in any order. */
  owners(now: Date): Promise<readonly string[]>
  /** Ends every lease of a worker that has ended. */
  endLeases(owner: string, now: Date): Promise<void>
}

export const leaseOwners = (
  kysely: Kysely<StorageTables>,
  table: 'storage_webhooks' | 'storage_mail_recipients',
): LeaseOwners => ({
  owners: async (now) => {
    const rows = await kysely
      .selectFrom(table)
      .select('owner')
      .distinct()
      .where('owner', 'is not', null)
      .where('lease_until', '>', now.getTime())
      .execute()
    return rows.flatMap(({ owner }) => owner ?? [])
  },
  endLeases: async (owner, now) => {
    await kysely.updateTable(table).set({ lease_until: now.getTime() }).where('owner', '=', owner).execute()
  },
})
