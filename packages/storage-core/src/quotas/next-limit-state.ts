import type { LimitState } from '../limit-states/limit-state.ts'
import type { NoticeKind } from '../notices/notice.ts'
import type { Size } from '../sizes/size.ts'
import type { LimitMarks } from './limit-marks.ts'

/** The part of a state that changes. */
export type LimitCondition = Pick<LimitState, 'exceededSince' | 'graceStartedAt' | 'graceEndedAt' | 'thresholds'>

export interface LimitObservation {
  /** In bytes or files. */
  readonly used: number
  readonly marks: LimitMarks
  /** Those of the rule. */
  readonly thresholds: readonly number[]
  /** Absent where soft limits only notify. */
  readonly gracePeriodSeconds?: number | undefined
  readonly now: Date
}

/** A mark that was passed. */
export interface Passing {
  readonly kind: NoticeKind
  readonly allowed: Size
  readonly percent?: number
  readonly graceEndsAt?: Date
}

export interface NextLimitState {
  readonly condition: LimitCondition
  readonly passings: readonly Passing[]
  /** When the grace period ends, if nothing changes before. */
  readonly deadline?: Date
}

/** Returns the state that follows from a usage, and the marks that it has passed since the state before. */
export function nextLimitState(before: LimitCondition, observation: LimitObservation): NextLimitState {
  const { used, marks, now, gracePeriodSeconds } = observation
  const isAbove = marks.isAboveSoft(used)
  const isExceeded = isAbove || (before.exceededSince !== undefined && !marks.isWellBelowSoft(used))
  const thresholds = observation.thresholds.filter((percent) =>
    before.thresholds.includes(percent) ? !marks.isWellBelow(used, percent) : marks.reaches(used, percent),
  )
  const graceStartedAt = isAbove && gracePeriodSeconds !== undefined ? (before.graceStartedAt ?? now) : undefined
  const end = graceStartedAt && new Date(graceStartedAt.getTime() + (gracePeriodSeconds ?? 0) * 1000)
  const hasEnded = end !== undefined && end <= now
  const condition: LimitCondition = {
    ...(isExceeded && { exceededSince: before.exceededSince ?? now }),
    ...(graceStartedAt && { graceStartedAt }),
    ...(hasEnded && { graceEndedAt: before.graceEndedAt ?? now }),
    thresholds,
  }
  const graceEndsAt = end && { graceEndsAt: end }
  const passings: Passing[] = []
  const { soft, whole } = marks
  if (soft !== undefined) {
    if (isExceeded && !before.exceededSince)
      passings.push({ kind: 'soft-limit-exceeded', allowed: soft, ...graceEndsAt })
    if (!isExceeded && before.exceededSince) passings.push({ kind: 'soft-limit-normal', allowed: soft })
    if (hasEnded && !before.graceEndedAt) passings.push({ kind: 'grace-ended', allowed: soft, ...graceEndsAt })
  }
  if (whole !== undefined) {
    for (const percent of observation.thresholds) {
      const [was, is] = [before.thresholds.includes(percent), thresholds.includes(percent)]
      if (was !== is) passings.push({ kind: is ? 'threshold-exceeded' : 'threshold-normal', allowed: whole, percent })
    }
  }
  return { condition, passings, ...(end && !hasEnded && { deadline: end }) }
}

export const isIdle = ({ exceededSince, graceStartedAt, graceEndedAt, thresholds }: LimitCondition): boolean =>
  !exceededSince && !graceStartedAt && !graceEndedAt && thresholds.length === 0

export const isSameCondition = (one: LimitCondition, other: LimitCondition): boolean =>
  sameTime(one.exceededSince, other.exceededSince) &&
  sameTime(one.graceStartedAt, other.graceStartedAt) &&
  sameTime(one.graceEndedAt, other.graceEndedAt) &&
  one.thresholds.length === other.thresholds.length &&
  one.thresholds.every((percent, index) => other.thresholds[index] === percent)

const sameTime = (one: Date | undefined, other: Date | undefined): boolean => one?.getTime() === other?.getTime()
