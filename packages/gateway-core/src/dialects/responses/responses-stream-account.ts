import { isObject } from '../../chat/is-object.ts'
import { isTooDeep } from '../../nesting.ts'
import type { JsonObject } from '../dialect.ts'
import { jsonLength } from '../requests/json-length.ts'
import type { StreamAccount, StreamTokens } from '../streams/stream-protocol.ts'
import { ResponseAccount } from './response-account.ts'
import { finishReasonsOf } from './response-facts.ts'

const SEQUENCE = '"sequence_number"'

/** The most characters after the name, for the colon, white space and the number. */
const SEQUENCE_LENGTH = 64

/** The most characters that are kept for as long as the stream is open. */
const LONGEST_KEPT = 65_536

/** Events with a `response` that is not complete. */
const early: ReadonlySet<unknown> = new Set(['response.created', 'response.in_progress', 'response.queued'])

/** The most characters of a member in JSON that is kept. */
const SHORT = 1024

/** Leaves out what a long stream must not keep in memory, such as long instructions and tools. */
const shortMembers = (response: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(response).filter(
      ([name, value]) => name !== 'output' && !isTooDeep(value) && jsonLength(value) <= SHORT,
    ),
  )

/** The metadata and usage that a stream of a response has reported so far. */
export class ResponsesStreamAccount extends ResponseAccount implements StreamAccount {
  finishReasons: readonly string[] = []
  /** That of the last event, so nothing is assembled. Absent where it is nested too deeply to be stored. */
  answer: JsonObject | undefined
  /** The response of the first event. Absent before it. */
  begun: JsonObject | undefined
  #sequenceNumber = -1
  /** The last text with a number that was passed since. It is read only where a number is needed. */
  #passed: string | undefined
  /** A stream of a response that ends without its last event was cut. */
  readonly isComplete = false

  /** That of the last event. */
  get sequenceNumber(): number {
    const number = this.#passed === undefined ? undefined : lastNumberIn(this.#passed)
    return number ?? this.#sequenceNumber
  }

  get tokens(): StreamTokens {
    const { inputTokens: input, outputTokens: output, detail } = this
    return { ...(input !== undefined && input > 0 && { input }), ...(output !== undefined && { output }), detail }
  }

  pass(text: string, events: number): void {
    this.output.pass(text, events)
    if (!text.includes(SEQUENCE)) return
    const isKept = text.length <= LONGEST_KEPT
    if (!isKept) this.#sequenceNumber = lastNumberIn(text) ?? this.sequenceNumber
    this.#passed = isKept ? text : undefined
  }

  override read(value: unknown): void {
    super.read(value)
    if (!isObject(value)) return
    const { sequence_number: number, response, type } = value
    if (typeof number === 'number' && Number.isSafeInteger(number)) {
      this.#sequenceNumber = number
      this.#passed = undefined
    }
    if (!isObject(response)) return
    if (early.has(type)) {
      this.begun ??= shortMembers(response)
      return
    }
    if (!isTooDeep(response)) this.answer = response
    this.finishReasons = finishReasonsOf(response)
  }
}

function lastNumberIn(text: string): number | undefined {
  const place = text.lastIndexOf(SEQUENCE)
  const number = /^\s*:\s*(\d{1,15})/.exec(text.slice(place + SEQUENCE.length, place + SEQUENCE_LENGTH))
  return number ? Number(number[1]) : undefined
}
