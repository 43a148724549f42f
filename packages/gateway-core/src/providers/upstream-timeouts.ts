/** How long a call of an upstream may take, in seconds. */
export interface UpstreamTimeouts {
  /** For the connection. @default 10 */
  readonly connectSeconds?: number
  /** Until the first event of a stream. @default 300 */
  readonly firstByteSeconds?: number
  /** Between two chunks of a stream. @default 120 */
  readonly idleSeconds?: number
  /** For the whole answer, all attempts included; a request's own `timeout` may be shorter or longer. @default 600 */
  readonly totalSeconds?: number
}
