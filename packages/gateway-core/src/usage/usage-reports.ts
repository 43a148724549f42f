import type { Caller } from '../caller.ts'
import type { UsageQuery, UsageRepository, UsageSummary } from './usage-repository.ts'

/** Reports usage. A key gets only its own. */
export interface UsageReports {
  /** Writes the waiting records first, so that they count. For a key, `query.keyId` is replaced by its own id. */
  summarize(caller: Caller, query: UsageQuery): Promise<readonly UsageSummary[]>
}

export interface UsageReportsOptions {
  readonly usage: UsageRepository
  /** Writes the waiting records first, so that reports are up to date. */
  readonly flush: () => Promise<void>
}

export const createUsageReports = ({ usage, flush }: UsageReportsOptions): UsageReports => ({
  async summarize(caller, query) {
    await flush()
    const own = caller.type === 'key' ? { ...query, keyId: caller.key.id } : query
    return usage.summarize(own)
  },
})
