import { checkRange } from '../check-range.ts'
import type { PatternName } from '../patterns/shapes.ts'

/** What is logged of requests, and for how long. */
export interface RequestLogOptions {
  /**
   * Whether prompts and answers are stored, as texts. Chat completions, responses, messages, completions, embeddings,
   * moderations, reranking, speech and images have them.
   *
   * @default false
   */
  readonly content?: boolean
  /** How long entries are kept, from 1 to 1,000,000. @default 30 */
  readonly days?: number
  /** The part of successful requests that is logged, from 0 to 1. Others are always logged. @default 1 */
  readonly sample?: number
  /**
   * What is replaced in prompts, answers and messages of errors before they are stored, such as an address by `[EMAIL]`.
   *
   * @default none
   */
  readonly redact?: readonly PatternName[]
  /**
   * The host's own patterns, by their names: at most 100, of at most 1,000 characters, in the syntax of RE2. A match is
   * replaced by the name, such as `[ORDER]`.
   *
   * @default none
   */
  readonly redactExpressions?: Readonly<Record<string, string>>
  /** The most bytes of a prompt and of an answer in UTF-8, from 1 to 262,144. @default 16_384 */
  readonly maxContentBytes?: number
  /** The most entries that wait for the store, at least 1. Further ones are dropped and counted. @default 10_000 */
  readonly capacity?: number
}

/** The options with their defaults. */
export type CheckedRequestLogOptions = Required<Omit<RequestLogOptions, 'days'>>

/** How long entries are kept, also those of a log that was switched off. */
export const DEFAULT_LOG_DAYS = 30

/** @throws RangeError for a number that is out of range @throws TypeError for a value of another type */
export function requestLogOptions(options: RequestLogOptions): CheckedRequestLogOptions {
  const { content = false, sample = 1, redact = [], redactExpressions = {} } = options
  const { maxContentBytes = 16_384, capacity = 10_000 } = options
  checkRange({ 'requestLog.sample': sample }, 0, 1)
  checkRange({ 'requestLog.maxContentBytes': maxContentBytes }, 1, 2 ** 18)
  if (typeof content !== 'boolean') throw new TypeError("'requestLog.content' must be true or false.")
  if (!Array.isArray(redact)) throw new TypeError("'requestLog.redact' must be a list of names.")
  return { content, sample, redact, redactExpressions, maxContentBytes, capacity }
}
