/** Where a load goes, and what it sends. */
export interface HttpTarget {
  readonly host: string
  readonly port: number
  /** The whole request of each connection, which it repeats. */
  readonly requests: readonly Buffer[]
  /** What each complete answer contains. */
  readonly sign: string
}
