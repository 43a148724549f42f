/** Limits of realtime sessions. */
export interface RealtimeOptions {
  /** A session ends after that time, from 1 to 86,400. @default 3600 */
  readonly maxSessionSeconds?: number
  /** A session without a message of either side ends after that time, from 1 to 86,400. @default 300 */
  readonly idleSeconds?: number
  /** The most open sessions of one key or user in this process, at least 1. @default 20 */
  readonly maxSessionsPerCaller?: number
  /** The most bytes that may wait for a slow upstream; beyond it the session ends. At least 1. @default 4 MiB */
  readonly maxBufferedBytes?: number
}
