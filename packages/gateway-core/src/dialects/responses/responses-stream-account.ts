import { isObject } from '../../chat/is-object.ts'
import { isTooDeep } from '../../nesting.ts'
import type { JsonObject } from '../dialect.ts'
import type { StreamAccount, StreamTokens } from '../streams/stream-protocol.ts'
import { ResponseAccount } from './response-account.ts'
import { finishReasonsOf } from './response-facts.ts'

const SEQUENCE = '"sequence_number"'

/** The most characters after the name, for the colon, white space and the number. */
const SEQUENCE_LENGTH = 64

/** Events with a `response` that is not complete. */
const early: ReadonlySet<unknown> = new Set(['response.created', 'response.in_progress', 'response.queued'])

/** The metadata and usage that a stream of a response has reported so far. */
export class ResponsesStreamAccount extends ResponseAccount implements StreamAccount {
  finishReasons: readonly string[] = []
  /** That of the last event, so nothing is assembled. Absent where it is nested too deeply to be stored. */
  answer: JsonObject | undefined
  /** That of the last event that was read. */
  sequenceNumber = -1
  /** A stream of a response that ends without its last event was cut. */
  readonly isComplete = false

  get tokens(): StreamTokens {
    const { inputTokens: input, outputTokens: output } = this
    if (input === undefined && output === undefined) return {}
    return { input: input ?? 0, output: output ?? 0 }
  }

  pass(text: string, events: number): void {
    this.pieces += events
    const place = text.lastIndexOf(SEQUENCE)
    const number =
      place < 0 ? undefined : /^\s*:\s*(\d{1,15})/.exec(text.slice(place + SEQUENCE.length, place + SEQUENCE_LENGTH))
    if (number) this.sequenceNumber = Number(number[1])
  }

  override read(value: unknown): void {
    super.read(value)
    if (!isObject(value)) return
    const { sequence_number: number, response, type } = value
    if (typeof number === 'number' && Number.isSafeInteger(number)) this.sequenceNumber = number
    if (!isObject(response) || early.has(type)) return
    if (!isTooDeep(response)) this.answer = response
    this.finishReasons = finishReasonsOf(response)
  }
}
