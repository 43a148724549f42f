import type { QuotaLimits } from '../quota-rules/quota-limits.ts'
import type { Size } from '../sizes/size.ts'

/** The amounts of one dimension of limits, and the comparisons of a usage with them. */
export interface LimitMarks {
  readonly soft: Size | undefined
  /** The limit that thresholds are percentages of. */
  readonly whole: Size | undefined
  readonly isAboveSoft: (used: number) => boolean
  /** Whether the usage has fallen far enough below the soft limit to end the report that it was above. */
  readonly isWellBelowSoft: (used: number) => boolean
  readonly reaches: (used: number, percent: number) => boolean
  /** Whether the usage has fallen far enough below a threshold. */
  readonly isWellBelow: (used: number, percent: number) => boolean
}

/** @param hysteresis in percent of the limit */
export function limitMarks(limits: QuotaLimits, of: 'space' | 'files', hysteresis: number): LimitMarks {
  const [hard, soft] = of === 'space' ? [limits.spaceHard, limits.spaceSoft] : [limits.filesHard, limits.filesSoft]
  const whole = hard ?? soft
  // Usage is far below the sizes that a number rounds.
  const part = (limit: Size, percent: number) => (Number(limit) * percent) / 100
  return {
    soft,
    whole,
    isAboveSoft: (used) => soft !== undefined && used > soft,
    isWellBelowSoft: (used) => soft === undefined || used <= Number(soft) - Math.floor(part(soft, hysteresis)),
    reaches: (used, percent) => whole !== undefined && used >= part(whole, percent),
    isWellBelow: (used, percent) => whole === undefined || used < part(whole, percent) - part(whole, hysteresis),
  }
}
