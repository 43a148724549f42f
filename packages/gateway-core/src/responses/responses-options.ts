import { checkRange } from '../check-range.ts'
import type { OwnerLimits } from './response-repository.ts'

/** How responses and conversations are kept, and how many run in the background. */
export interface ResponsesOptions {
  /** How long responses are kept, and conversations after their last use, from 1 to 1,000,000. @default 30 */
  readonly retentionDays?: number
  /** The most bytes of one response with its input. Larger ones are answered, but not kept. @default 4 MiB */
  readonly maxStoredBytes?: number
  /** The most responses of a key or a user. Beyond it, the oldest are removed. @default 10,000 */
  readonly maxResponses?: number
  /**
   * The most bytes of all responses of a key or a user, and of the items of all its conversations. Beyond it, the oldest
   * responses are removed, and the conversations that were used longest ago.
   *
   * @default 1 GiB
   */
  readonly maxOwnerBytes?: number
  /** The most conversations of a key or a user. Beyond it, those that were used longest ago are removed. @default 1,000 */
  readonly maxConversations?: number
  /** The most responses that `previous_response_id` continues. @default 1,000 */
  readonly maxTurns?: number
  /** The most items that `previous_response_id` or `conversation` puts before the input. @default 10,000 */
  readonly maxContextItems?: number
  /** The most bytes of these items. @default 8 MiB */
  readonly maxContextBytes?: number
  /** The most responses that run in the background of this process. @default 100 */
  readonly maxBackground?: number
  /** The most of them for one key or user. @default 10 */
  readonly maxBackgroundPerOwner?: number
  /** The most bytes of events that are kept of one streamed response in the background. The oldest are dropped. @default 8 MiB */
  readonly maxEventBytes?: number
  /** The most bytes of such events in this process. Those of responses that have ended are dropped first. @default 64 MiB */
  readonly maxAllEventBytes?: number
}

/** The bounds of stored responses and conversations. */
export interface StateBounds extends OwnerLimits {
  readonly retentionMs: number
  readonly maxStoredBytes: number
  readonly maxConversations: number
  readonly maxTurns: number
  readonly maxContextItems: number
  readonly maxContextBytes: number
  readonly maxBackground: number
  readonly maxBackgroundPerOwner: number
  readonly maxEventBytes: number
  readonly maxAllEventBytes: number
}

const DAY_MS = 86_400_000
/** What the texts of all databases hold. */
const MAX_TEXT_BYTES = 2 ** 24 - 1

/** @throws RangeError for an option that is out of its range */
export function stateBounds(options: ResponsesOptions): StateBounds {
  const { retentionDays = 30, maxStoredBytes = 2 ** 22, maxResponses = 10_000, maxOwnerBytes = 2 ** 30 } = options
  const { maxConversations = 1_000, maxTurns = 1_000, maxContextItems = 10_000, maxContextBytes = 2 ** 23 } = options
  const { maxBackground = 100, maxBackgroundPerOwner = 10 } = options
  const { maxEventBytes = 2 ** 23, maxAllEventBytes = 2 ** 26 } = options
  checkRange({ 'responses.retentionDays': retentionDays }, 1, 1_000_000)
  checkRange({ 'responses.maxStoredBytes': maxStoredBytes }, 1, MAX_TEXT_BYTES)
  checkRange(
    {
      'responses.maxResponses': maxResponses,
      'responses.maxOwnerBytes': maxOwnerBytes,
      'responses.maxConversations': maxConversations,
      'responses.maxTurns': maxTurns,
      'responses.maxContextItems': maxContextItems,
      'responses.maxContextBytes': maxContextBytes,
      'responses.maxEventBytes': maxEventBytes,
      'responses.maxAllEventBytes': maxAllEventBytes,
    },
    1,
    Number.MAX_SAFE_INTEGER,
  )
  checkRange(
    { 'responses.maxBackground': maxBackground, 'responses.maxBackgroundPerOwner': maxBackgroundPerOwner },
    0,
    Number.MAX_SAFE_INTEGER,
  )
  return {
    retentionMs: retentionDays * DAY_MS,
    maxStoredBytes,
    maxResponses,
    maxBytes: maxOwnerBytes,
    maxConversations,
    maxTurns,
    maxContextItems,
    maxContextBytes,
    maxBackground,
    maxBackgroundPerOwner,
    maxEventBytes,
    maxAllEventBytes,
  }
}
