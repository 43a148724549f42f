import { err, ok, type Result } from 'neverthrow'
import { type QuotaLimitName, type QuotaLimits, type QuotaLimitsChange, quotaLimitNames } from './quota-limits.ts'

/** Smaller space limits are raised to it. Bytes. */
export const MINIMUM_SPACE_LIMIT = 1024

export type LimitError =
  | { readonly type: 'limit-out-of-range'; readonly limit: QuotaLimitName }
  /** A soft limit is larger than the hard one. */
  | { readonly type: 'soft-limit-above-hard'; readonly limit: 'spaceSoft' | 'filesSoft' }

/**
 * Limits as clients send them: -1 is no limit, a small space limit is raised, a negative one is refused. No files at all
 * is no limit either: clients send 0 for what is not set, and so file systems read it.
 */
export function normalizeLimits(change: QuotaLimitsChange): Result<QuotaLimitsChange, LimitError> {
  const normal: { -readonly [Name in QuotaLimitName]?: number | null } = {}
  for (const name of quotaLimitNames) {
    const value = change[name]
    if (value === undefined) continue
    const isSpace = name.startsWith('space')
    if (value === null || value === -1 || (value === 0 && !isSpace)) normal[name] = null
    else if (!Number.isSafeInteger(value) || value < 0) return err({ type: 'limit-out-of-range', limit: name })
    else normal[name] = isSpace ? Math.max(value, MINIMUM_SPACE_LIMIT) : value
  }
  return ok(normal)
}

export function checkSoftLimits(limits: QuotaLimits): Result<QuotaLimits, LimitError> {
  const limit = softLimitAboveHard(limits)
  return limit ? err({ type: 'soft-limit-above-hard', limit }) : ok(limits)
}

/** The soft limit that is larger than the hard one of its kind. */
export function softLimitAboveHard(limits: QuotaLimits): 'spaceSoft' | 'filesSoft' | undefined {
  const { spaceHard, spaceSoft, filesHard, filesSoft } = limits
  if (isAbove(spaceSoft, spaceHard)) return 'spaceSoft'
  return isAbove(filesSoft, filesHard) ? 'filesSoft' : undefined
}

const isAbove = (soft: number | undefined, hard: number | undefined): boolean =>
  soft !== undefined && hard !== undefined && soft > hard
