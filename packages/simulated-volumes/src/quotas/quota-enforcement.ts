import type { EnforcedLimit, LimitsChange, LimitTarget, QuotaLimitName, QuotaNotice } from '@trivium/storage-core/ports'
import type { Principals } from '../principals.ts'
import { type Account, accountKey, accountsOf, accountsOfTarget, isExempt, type Owner } from './account-keys.ts'
import type { QuotaAccounts, Usage } from './quota-accounts.ts'

/** The enforced limits, and the checks of a change against them. */
export interface QuotaEnforcement {
  replace(limits: readonly EnforcedLimit[]): void
  change(change: LimitsChange): void
  /** Whether the hard limits are enforced as given. */
  holds(limit: EnforcedLimit): boolean
  renameQtree(from: string, to: string): void
  /** Returns the first hard limit that the growth would exceed, and notifies the watchers of it. */
  exceeded(owner: Owner, growth: Usage): PassedLimit | undefined
  /** Notifies the watchers of each soft limit that the growth passed, upwards or downwards. */
  noticeSoftLimits(owner: Owner, growth: Usage): void
}

export type PassedLimit = Omit<QuotaNotice, 'type'>

interface HeldLimit extends EnforcedLimit {
  /** The accounts whose usage is added up. Empty for a limit of every user or every group. */
  readonly accounts: readonly Account[]
}

const dimensions = [
  { of: 'space', hard: 'spaceHard', soft: 'spaceSoft' },
  { of: 'files', hard: 'filesHard', soft: 'filesSoft' },
] as const satisfies readonly { of: keyof Usage; hard: QuotaLimitName; soft: QuotaLimitName }[]

export interface QuotaEnforcementOptions {
  readonly accounts: QuotaAccounts
  readonly users: Principals
  readonly groups: Principals
  readonly notify: (notice: QuotaNotice) => void
}

export function createQuotaEnforcement(options: QuotaEnforcementOptions): QuotaEnforcement {
  const { accounts, users, groups, notify } = options
  /** By the key of each named account. Limits of every user or group are kept by kind and qtree. */
  const limits = new Map<string, HeldLimit>()

  const keysOf = (target: LimitTarget, named: readonly Account[]): readonly string[] =>
    target.kind === 'every-user' || target.kind === 'every-group'
      ? [defaultLimitKey(target.kind === 'every-user' ? 'user' : 'group', target.qtree)]
      : named.map(accountKey)
  const clear = (target: LimitTarget) => {
    for (const key of keysOf(target, accountsOfTarget(target, users, groups))) limits.delete(key)
  }
  const set = (limit: EnforcedLimit) => {
    const named = accountsOfTarget(limit.target, users, groups)
    for (const key of keysOf(limit.target, named)) limits.set(key, { ...limit, accounts: named })
  }
  const limitOf = (account: Account): HeldLimit | undefined =>
    limits.get(accountKey(account)) ??
    (account.kind === 'tree' ? undefined : limits.get(defaultLimitKey(account.kind, account.qtree)))
  const usageOf = (limit: HeldLimit, account: Account): Usage => {
    const counted = limit.accounts.length > 0 ? limit.accounts : [account]
    const usages = counted.map(accounts.usage)
    return {
      space: usages.reduce((total, { space }) => total + space, 0),
      files: usages.reduce((total, { files }) => total + files, 0),
    }
  }
  const describe = (limit: HeldLimit, account: Account): Pick<PassedLimit, 'target' | 'principal'> => {
    if (limit.accounts.length > 0 || account.id === undefined) return { target: limit.target }
    return { target: limit.target, principal: (account.kind === 'user' ? users : groups).describe(account.id) }
  }
  const bound = (owner: Owner) =>
    accountsOf(owner).flatMap((account) => {
      const limit = isExempt(account, owner) ? undefined : limitOf(account)
      return limit ? [{ account, limit }] : []
    })

  return {
    replace: (wanted) => {
      limits.clear()
      for (const limit of wanted) set(limit)
    },
    change: (change) => {
      for (const target of change.clear) clear(target)
      for (const limit of change.set) set(limit)
    },
    holds: ({ target, limits: wanted }) =>
      keysOf(target, accountsOfTarget(target, users, groups)).every((key) => {
        const held = limits.get(key)?.limits
        return held !== undefined && held.spaceHard === wanted.spaceHard && held.filesHard === wanted.filesHard
      }),
    renameQtree: (from, to) => {
      const held = new Set([...limits.values()].filter(({ target }) => target.qtree === from))
      for (const { target } of held) clear(target)
      for (const { target, limits: wanted } of held) set({ target: { ...target, qtree: to }, limits: wanted })
    },
    exceeded: (owner, growth) => {
      for (const { account, limit } of bound(owner)) {
        const before = usageOf(limit, account)
        for (const { of, hard } of dimensions) {
          const allowed = limit.limits[hard]
          if (allowed === undefined || growth[of] <= 0 || before[of] + growth[of] <= allowed) continue
          const passed = { ...describe(limit, account), limit: hard, used: before[of], allowed }
          notify({ type: 'hard-limit-exceeded', ...passed })
          return passed
        }
      }
      return undefined
    },
    noticeSoftLimits: (owner, growth) => {
      for (const { account, limit } of bound(owner)) {
        const after = usageOf(limit, account)
        for (const { of, soft } of dimensions) {
          const allowed = limit.limits[soft]
          if (allowed === undefined) continue
          const isOver = after[of] > allowed
          if (isOver === after[of] - growth[of] > allowed) continue
          const type = isOver ? 'soft-limit-exceeded' : 'soft-limit-normal'
          notify({ type, ...describe(limit, account), limit: soft, used: after[of], allowed })
        }
      }
    },
  }
}

const defaultLimitKey = (kind: 'user' | 'group', qtree = ''): string => `every ${kind}/${qtree}`
