import type { Pauses } from '../measured-process.ts'
import { percentile, type Spread, spreadOf } from '../spread.ts'

/** Percentiles of times in milliseconds. */
export interface Quantiles {
  readonly p50: number
  readonly p99: number
  readonly p999: number
}

/** How well a generator has kept its rate. */
export interface GeneratorFigures {
  /** From when a request was due until it was sent, where a connection was free. `undefined`: all requests waited. */
  readonly lateness: Quantiles | undefined
  /** The percentage of requests that were due while all connections waited. */
  readonly waitedPercent: number
  /** The CPU time of the generator as a percentage of one core. */
  readonly corePercent: number
}

/** What one turn of a server has shown. */
export interface Turn extends GeneratorFigures {
  /** From when each request was due to the last byte of its answer. */
  readonly latency: Quantiles
}

/** The spread of percentiles over the rounds, in milliseconds. */
export type QuantileSpreads = { readonly [Name in keyof Quantiles]: Spread }

export interface TailFigures {
  readonly load: string
  readonly server: string
  readonly floor: string
  readonly perSecond: number
  readonly ours: QuantileSpreads
  readonly ofFloor: QuantileSpreads
  /** The difference of both in each round. */
  readonly added: QuantileSpreads
  /** The pauses of the server for its garbage collector in all of its turns. `undefined`: they are not known. */
  readonly pauses: Pauses | undefined
  /** The time of all turns of the server. */
  readonly seconds: number
  /** The medians of the turns of the server. */
  readonly generator: GeneratorFigures
}

export const quantilesOf = (times: readonly number[]): Quantiles => ({
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
  p999: percentile(times, 0.999),
})

export const spreadsOf = (rounds: readonly Quantiles[]): QuantileSpreads => ({
  p50: spreadOf(rounds.map(({ p50 }) => p50)),
  p99: spreadOf(rounds.map(({ p99 }) => p99)),
  p999: spreadOf(rounds.map(({ p999 }) => p999)),
})

/** Returns what each round adds to the floor in the same round. */
export const addedOf = (ours: readonly Turn[], floors: readonly Turn[]): QuantileSpreads =>
  spreadsOf(
    ours.flatMap(({ latency }, round) => {
      const floor = floors[round]?.latency
      return floor
        ? [{ p50: latency.p50 - floor.p50, p99: latency.p99 - floor.p99, p999: latency.p999 - floor.p999 }]
        : []
    }),
  )

export function generatorFiguresOf(turns: readonly Turn[]): GeneratorFigures {
  const known = turns.flatMap(({ lateness }) => lateness ?? [])
  const { p50, p99, p999 } = spreadsOf(known)
  return {
    lateness: known.length > 0 ? { p50: p50.median, p99: p99.median, p999: p999.median } : undefined,
    waitedPercent: spreadOf(turns.map(({ waitedPercent }) => waitedPercent)).median,
    corePercent: spreadOf(turns.map(({ corePercent }) => corePercent)).median,
  }
}

/** Returns the pauses of several turns together. `undefined`: those of one turn are not known. */
export function pausesOf(turns: readonly (Pauses | undefined)[]): Pauses | undefined {
  const known = turns.filter((pauses) => pauses !== undefined)
  if (known.length < turns.length) return undefined
  return {
    count: known.reduce((sum, { count }) => sum + count, 0),
    totalMs: known.reduce((sum, { totalMs }) => sum + totalMs, 0),
    longestMs: Math.max(0, ...known.map(({ longestMs }) => longestMs)),
  }
}
