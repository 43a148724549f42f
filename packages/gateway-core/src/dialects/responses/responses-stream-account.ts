import { isObject } from '../../chat/is-object.ts'
import { isTokenCount } from '../../usage/token-count.ts'
import type { JsonObject } from '../dialect.ts'
import type { StreamAccount, StreamTokens } from '../streams/stream-protocol.ts'
import { finishReasonsOf } from './response-facts.ts'

const SEQUENCE = '"sequence_number"'

/** The metadata and usage that a stream of a response has reported so far. */
export class ResponsesStreamAccount implements StreamAccount {
  id: string | undefined
  model: string | undefined
  usage: JsonObject | undefined
  finishReasons: readonly string[] = []
  pieces = 0
  /** The last event has it, so nothing is assembled. */
  answer: JsonObject | undefined
  /** That of the last event that was read. */
  sequenceNumber = -1
  /** A stream of a response that ends without its last event was cut. */
  readonly isComplete = false

  get tokens(): StreamTokens {
    const { input_tokens: input, output_tokens: output } = this.usage ?? {}
    if (!isTokenCount(input) && !isTokenCount(output)) return {}
    return { input: isTokenCount(input) ? input : 0, output: isTokenCount(output) ? output : 0 }
  }

  pass(text: string, events: number): void {
    this.pieces += events
    const place = text.lastIndexOf(SEQUENCE)
    if (place < 0) return
    const number = Number.parseInt(text.slice(text.indexOf(':', place) + 1, place + 64).trim(), 10)
    if (Number.isSafeInteger(number)) this.sequenceNumber = number
  }

  read(value: unknown): void {
    if (!isObject(value)) {
      this.pieces += 1
      return
    }
    if (Number.isSafeInteger(value.sequence_number)) this.sequenceNumber = Number(value.sequence_number)
    const { response, type } = value
    if (!isObject(response)) return
    if (typeof response.id === 'string') this.id ??= response.id
    if (typeof response.model === 'string') this.model ??= response.model
    if (isObject(response.usage)) this.usage = response.usage
    if (type === 'response.created' || type === 'response.in_progress' || type === 'response.queued') return
    this.answer = response
    this.finishReasons = finishReasonsOf(response)
  }
}
