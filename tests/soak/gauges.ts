/** What must not grow in a server that is used for long. Counts and megabytes, after a garbage collection. */
export interface Gauges {
  readonly residentMegabytes: number
  /** With what lies outside of V8's heap. */
  readonly heapMegabytes: number
  /** Open files, sockets and pipes. */
  readonly descriptors: number
  /** Sockets, servers, child processes and whatever else keeps the process alive. */
  readonly handles: number
  /** Also those that do not keep it alive. */
  readonly timers: number
  /** On emitters, event targets and signals that are still in use. */
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
  /** Since the first sample. */
  readonly minutes: number
}
