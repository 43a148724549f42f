import { err, ok, type Result } from 'neverthrow'
import { isSize, type Size, toSize } from '../sizes/size.ts'
import { type QuotaLimitName, type QuotaLimits, type QuotaLimitsChange, quotaLimitNames } from './quota-limits.ts'

/** In bytes. Smaller space limits are rounded up to it. */
export const MINIMUM_SPACE_LIMIT = 1024

/** Why the limits of a rule are refused. */
export type LimitError =
  | { readonly type: 'limit-out-of-range'; readonly limit: QuotaLimitName }
  /** A soft limit is larger than the hard one. */
  | { readonly type: 'soft-limit-above-hard'; readonly limit: 'spaceSoft' | 'filesSoft' }

/**
 * Normalizes limits of clients: -1 removes a limit, a space limit below the minimum is rounded up, other negative
 * limits are refused. A file limit of 0 also removes the limit, because clients send 0 for an unset limit.
 */
export function normalizeLimits(change: QuotaLimitsChange): Result<QuotaLimitsChange, LimitError> {
  const normal: { -readonly [Name in QuotaLimitName]?: Size | null } = {}
  for (const name of quotaLimitNames) {
    const given = change[name]
    if (given === undefined) continue
    const value = given === null ? null : toSize(given)
    const isSpace = name.startsWith('space')
    if (value === null || value === -1 || (value === 0 && !isSpace)) normal[name] = null
    else if (!isSize(value)) return err({ type: 'limit-out-of-range', limit: name })
    else normal[name] = isSpace && value < MINIMUM_SPACE_LIMIT ? MINIMUM_SPACE_LIMIT : value
  }
  return ok(normal)
}

export function checkSoftLimits(limits: QuotaLimits): Result<QuotaLimits, LimitError> {
  const limit = softLimitAboveHard(limits)
  return limit ? err({ type: 'soft-limit-above-hard', limit }) : ok(limits)
}

/** Returns the first soft limit that is larger than its hard limit, space before files, or `undefined`. */
export function softLimitAboveHard(limits: QuotaLimits): 'spaceSoft' | 'filesSoft' | undefined {
  const { spaceHard, spaceSoft, filesHard, filesSoft } = limits
  if (isAbove(spaceSoft, spaceHard)) return 'spaceSoft'
  return isAbove(filesSoft, filesHard) ? 'filesSoft' : undefined
}

const isAbove = (soft: Size | undefined, hard: Size | undefined): boolean =>
  soft !== undefined && hard !== undefined && soft > hard
