import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { ownerOf } from '../accounts/account.ts'
import { accountIdOf } from '../accounts/account-id.ts'
import type { Caller } from '../caller.ts'
import { ownTeam } from '../groups/own-team.ts'
import { ReportQueue } from './report-queue.ts'
import { type UsageNames, type UsageNamesParts, usageNamesOf } from './usage-names.ts'
import type { UsageGroup, UsageQuery, UsageRepository, UsageSummary } from './usage-repository.ts'

/** The caller is neither the admin nor a key or a user, so no usage is its own. */
export interface UsageNotShown {
  readonly type: 'usage-not-shown'
}

/** The store would keep too many groups, or read too many records. */
export interface UsageTooLarge {
  readonly type: 'usage-too-large'
}

/** The caller has several reports that run or wait. */
export interface TooManyReports {
  readonly type: 'too-many-reports'
}

export type UsageError = UsageNotShown | UsageTooLarge | TooManyReports

/** Reports usage. A key or a user gets only its own. */
export interface UsageReports {
  /**
   * Writes the waiting records first, so that they count. For a key or a user, `query.account` is replaced by its own,
   * except for an owner of the team `query.teamId`. The reports of a caller run one after the other, at most 10 at the same
   * time run or wait, and 4 of all callers run.
   */
  summarize(caller: Caller, query: UsageQuery): ResultAsync<readonly UsageSummary[], UsageError>
  /** Returns the names of the keys, the teams and the users of at most 10,001 summaries. */
  namesOf(groups: readonly UsageGroup[]): Promise<UsageNames>
}

export interface UsageReportsOptions extends UsageNamesParts {
  readonly usage: UsageRepository
  /** Writes the waiting records first, so that reports are up to date. */
  readonly flush: () => Promise<void>
}

export function createUsageReports({ usage, flush, ...names }: UsageReportsOptions): UsageReports {
  const queue = new ReportQueue()
  const summarize = async (caller: Caller, query: UsageQuery): Promise<Result<readonly UsageSummary[], UsageError>> => {
    const account = accountIdOf(ownerOf(caller))
    const seesOthers = caller.type === 'admin' || ownsTeam(caller, query.teamId)
    if (account === undefined && !seesOthers) return err({ type: 'usage-not-shown' })
    const own = account === undefined || seesOthers ? query : { ...query, account }
    const owner = account ?? ''
    if (!queue.hasPlace(owner)) return err({ type: 'too-many-reports' })
    return queue.run(owner, async () => {
      await flush()
      const summaries = await usage.summarize(own)
      return summaries === 'too-large' ? err({ type: 'usage-too-large' }) : ok(summaries)
    })
  }
  return {
    summarize: (caller, query) => new ResultAsync(summarize(caller, query)),
    namesOf: (groups) => usageNamesOf(groups, names),
  }
}

const ownsTeam = (caller: Caller, teamId: string | undefined): boolean =>
  teamId !== undefined && caller.type === 'key' && ownTeam(caller.key)?.id === teamId
