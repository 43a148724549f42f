import type { UsageRecorderOptions } from './usage-recorder.ts'

/** What usage records name, and how they are batched. */
export interface UsageOptions extends UsageRecorderOptions {
  /**
   * Whether records name the client's own end user, from `safety_identifier`, `user` or `metadata.user_id` of a request.
   *
   * @default false
   */
  readonly endUsers?: boolean
}
