/** Measures that must not grow in a server over time: counts and megabytes, after a garbage collection. */
export interface Gauges {
  readonly residentMegabytes: number
  /** With external memory of V8. */
  readonly heapMegabytes: number
  /** Open files, sockets and pipes. */
  readonly descriptors: number
  /** Sockets, servers, child processes and all other resources that keep the process running. */
  readonly handles: number
  /** All timers, also those that do not keep the process running. */
  readonly timers: number
  /** Listeners of emitters, event targets and signals that are still in memory. */
  readonly listeners: number
}

export type Gauge = keyof Gauges

export const gaugeNames = [
  'residentMegabytes',
  'heapMegabytes',
  'descriptors',
  'handles',
  'timers',
  'listeners',
] as const satisfies readonly Gauge[]

export interface Sample extends Gauges {
  /** Minutes since the first sample. */
  readonly minutes: number
}
