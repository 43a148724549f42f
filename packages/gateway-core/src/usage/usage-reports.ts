import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { ownerOf } from '../accounts/account.ts'
import { accountIdOf } from '../accounts/account-id.ts'
import type { Caller } from '../caller.ts'
import type { UsageQuery, UsageRepository, UsageSummary } from './usage-repository.ts'

/** The caller is neither the admin nor a key or a user, so no usage is its own. */
export interface UsageNotShown {
  readonly type: 'usage-not-shown'
}

/** Reports usage. A key or a user gets only its own. */
export interface UsageReports {
  /**
   * Writes the waiting records first, so that they count. For a key or a user, `query.account` is replaced by its own.
   */
  summarize(caller: Caller, query: UsageQuery): ResultAsync<readonly UsageSummary[], UsageNotShown>
}

export interface UsageReportsOptions {
  readonly usage: UsageRepository
  /** Writes the waiting records first, so that reports are up to date. */
  readonly flush: () => Promise<void>
}

export function createUsageReports({ usage, flush }: UsageReportsOptions): UsageReports {
  const summarize = async (
    caller: Caller,
    query: UsageQuery,
  ): Promise<Result<readonly UsageSummary[], UsageNotShown>> => {
    const account = accountIdOf(ownerOf(caller))
    if (account === undefined && caller.type !== 'admin') return err({ type: 'usage-not-shown' })
    await flush()
    return ok(await usage.summarize(account === undefined ? query : { ...query, account }))
  }
  return { summarize: (caller, query) => new ResultAsync(summarize(caller, query)) }
}
