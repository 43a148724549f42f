import type { Load } from './load.ts'

/** A load with its part of a benchmark. */
export interface MeasuredLoad extends Load {
  /** The share of the requests of a round. */
  readonly share: number
  /** The least requests and seconds before the measurement, in which the code is optimised. */
  readonly warmUp: { readonly requests: number; readonly seconds: number }
}

/** Whole answers, which the upstream sends immediately. */
export const whole: MeasuredLoad = {
  name: 'whole',
  model: 'mock-1',
  stream: false,
  connections: 32,
  share: 1,
  warmUp: { requests: 20_000, seconds: 12 },
}

export const spacedStream: MeasuredLoad = {
  name: 'stream of 20, 5 ms apart',
  model: 'mock-spaced',
  stream: true,
  connections: 50,
  share: 0.2,
  warmUp: { requests: 2_000, seconds: 4 },
}

export const loads: readonly MeasuredLoad[] = [
  whole,
  {
    name: 'stream of 20 without pauses',
    model: 'mock-1',
    stream: true,
    connections: 32,
    share: 0.4,
    warmUp: { requests: 6_000, seconds: 6 },
  },
  spacedStream,
]
