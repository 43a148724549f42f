import type { Caller } from '../caller.ts'
import type { UsageQuery, UsageRepository, UsageSummary } from './usage-repository.ts'

/** Tells what was used. A key hears its own only. */
export interface UsageReports {
  summarize(caller: Caller, query: UsageQuery): Promise<readonly UsageSummary[]>
}

export interface UsageReportsOptions {
  readonly usage: UsageRepository
  /** Brings what waits to the store first, so that reports are up to date. */
  readonly flush: () => Promise<void>
}

export const createUsageReports = ({ usage, flush }: UsageReportsOptions): UsageReports => ({
  async summarize(caller, query) {
    await flush()
    const own = caller.type === 'key' ? { ...query, keyId: caller.key.id } : query
    return usage.summarize(own)
  },
})
