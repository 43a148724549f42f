/** The timeouts of an upstream call, in seconds, each from 0.001 to 2,147,483. */
export interface UpstreamTimeouts {
  /** Until the connection is made. @default 10 */
  readonly connectSeconds?: number
  /** Until the first event of a stream. @default 300 */
  readonly firstByteSeconds?: number
  /** Between two chunks of a stream. @default 120 */
  readonly idleSeconds?: number
  /**
   * With all attempts, for a whole answer or until the first event of a stream. A stream that has started is ended by
   * `idleSeconds` only. The `timeout` of a request may be shorter or longer, and ends streams too.
   *
   * @default 600
   */
  readonly totalSeconds?: number
}
