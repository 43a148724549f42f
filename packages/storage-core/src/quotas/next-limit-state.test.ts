import { describe, expect, it } from 'vitest'
import type { QuotaLimits } from '../quota-rules/quota-limits.ts'
import { limitMarks } from './limit-marks.ts'
import { type LimitCondition, nextLimitState, type Passing } from './next-limit-state.ts'

const start = Date.UTC(2026, 0, 2)

interface Rule {
  readonly limits: QuotaLimits
  readonly of?: 'space' | 'files'
  readonly thresholds?: readonly number[]
  readonly hysteresis?: number
}

/** Observes usages at seconds, one after the other. @returns what each has passed */
function observe({ limits, of = 'space', thresholds = [], hysteresis = 1 }: Rule) {
  let condition: LimitCondition = { thresholds: [] }
  return (seconds: number, used: number, gracePeriodSeconds?: number) => {
    const now = new Date(start + seconds * 1000)
    const marks = limitMarks(limits, of, hysteresis)
    const next = nextLimitState(condition, { used, marks, thresholds, gracePeriodSeconds, now })
    condition = next.condition
    return { passed: next.passings.map(describePassing), condition, deadline: next.deadline }
  }
}

const describePassing = ({ kind, percent }: Passing) => (percent === undefined ? kind : `${kind} ${percent}`)

describe('nextLimitState', () => {
  it('reports a soft limit once, and as normal only below the hysteresis', () => {
    const see = observe({ limits: { spaceSoft: 1000 } })
    expect(see(0, 1000).passed).toEqual([])
    expect(see(1, 1001).passed).toEqual(['soft-limit-exceeded'])
    for (const used of [1500, 1000, 991, 1001]) expect(see(2, used).passed).toEqual([])
    expect(see(3, 990).passed).toEqual(['soft-limit-normal'])
    expect(see(4, 1000).condition).toEqual({ thresholds: [] })
  })

  it('counts files in whole numbers', () => {
    const see = observe({ limits: { filesSoft: 2, filesHard: 10 }, of: 'files', thresholds: [80] })
    expect(see(0, 3).passed).toEqual(['soft-limit-exceeded'])
    expect(see(1, 2).passed).toEqual(['soft-limit-normal'])
    expect(see(2, 8).passed).toEqual(['soft-limit-exceeded', 'threshold-exceeded 80'])
    expect(see(3, 7).passed).toEqual(['threshold-normal 80'])
  })

  it('ends the grace period after its time above the soft limit', () => {
    const see = observe({ limits: { spaceSoft: 1000, spaceHard: 2000 } })
    const first = see(0, 1500, 60)
    expect(first.deadline).toEqual(new Date(start + 60_000))
    expect(see(59, 1500, 60).passed).toEqual([])
    const ended = see(60, 1500, 60)
    expect(ended.passed).toEqual(['grace-ended'])
    expect(ended.deadline).toBeUndefined()
    expect(see(90, 1400, 60)).toMatchObject({ passed: [], condition: { graceEndedAt: new Date(start + 60_000) } })
    const given = see(91, 1000, 60).condition
    expect(given.graceEndedAt).toBeUndefined()
    expect(given.exceededSince).toEqual(new Date(start))
  })

  it('begins the grace period again when the usage was at the soft limit in between', () => {
    const see = observe({ limits: { spaceSoft: 1000 } })
    see(0, 1500, 60)
    expect(see(50, 1000, 60).deadline).toBeUndefined()
    expect(see(55, 1500, 60).passed).toEqual([])
    expect(see(60, 1500, 60).passed).toEqual([])
    expect(see(115, 1500, 60).passed).toEqual(['grace-ended'])
  })

  it('counts a grace period that is set later from then on', () => {
    const see = observe({ limits: { spaceSoft: 1000 } })
    expect(see(0, 1500).condition).toEqual({ exceededSince: new Date(start), thresholds: [] })
    expect(see(1000, 1500, 60).deadline).toEqual(new Date(start + 1_060_000))
  })

  it('ends the enforcement when the grace period is removed or lengthened', () => {
    const see = observe({ limits: { spaceSoft: 1000 } })
    see(0, 1500, 60)
    see(60, 1500, 60)
    expect(see(61, 1500, 600).condition.graceEndedAt).toBeUndefined()
    expect(see(62, 1500, 60).passed).toEqual(['grace-ended'])
    expect(see(63, 1500).condition).toEqual({ exceededSince: new Date(start), thresholds: [] })
  })

  it('takes thresholds of the hard limit, or else of the soft one', () => {
    const see = observe({ limits: { spaceHard: 1000, spaceSoft: 500 }, thresholds: [50, 80, 100] })
    expect(see(0, 799).passed).toEqual(['soft-limit-exceeded', 'threshold-exceeded 50'])
    expect(see(1, 1000).passed).toEqual(['threshold-exceeded 80', 'threshold-exceeded 100'])
    expect(see(2, 790).passed).toEqual(['threshold-normal 100'])
    expect(see(3, 789).passed).toEqual(['threshold-normal 80'])
    expect(observe({ limits: { spaceSoft: 500 }, thresholds: [80] })(0, 400).passed).toEqual(['threshold-exceeded 80'])
    expect(observe({ limits: {}, thresholds: [80] })(0, 400).passed).toEqual([])
  })

  it('reports a threshold again only after the usage was below it by the hysteresis', () => {
    const see = observe({ limits: { spaceHard: 1000 }, thresholds: [80], hysteresis: 10 })
    see(0, 800)
    for (const used of [701, 800, 700, 900]) expect(see(1, used).passed).toEqual([])
    expect(see(2, 699).passed).toEqual(['threshold-normal 80'])
    expect(see(3, 799).passed).toEqual([])
    const exact = observe({ limits: { spaceHard: 1000 }, thresholds: [80], hysteresis: 0 })
    expect([exact(0, 800).passed, exact(1, 799).passed]).toEqual([['threshold-exceeded 80'], ['threshold-normal 80']])
  })
})
