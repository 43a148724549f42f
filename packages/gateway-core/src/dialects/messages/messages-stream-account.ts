import { isObject } from '../../chat/is-object.ts'
import { readMessageDetail } from '../../usage/read-detail.ts'
import { isTokenCount } from '../../usage/token-count.ts'
import type { JsonObject } from '../dialect.ts'
import { OutputEstimate, startOfText } from '../streams/output-estimate.ts'
import type { StreamAccount, StreamTokens } from '../streams/stream-protocol.ts'
import { membersOf } from './fields.ts'
import { inputTokensOf } from './message-usage.ts'

const counts = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'cache_creation',
  'output_tokens_details',
  'server_tool_use',
]

/** The members of deltas whose texts a model writes. */
const TEXT = startOfText('text', 'thinking', 'partial_json')

/** The metadata and usage that a stream of a message has reported so far. */
export class MessagesStreamAccount implements StreamAccount {
  id: string | undefined
  model: string | undefined
  /** The counts of the first event, and what later ones change of them. */
  #usage: JsonObject | undefined
  finishReasons: readonly string[] = []
  readonly #output = new OutputEstimate(TEXT)
  /** A stream of a message that ends without `message_stop` was cut. */
  readonly isComplete = false
  #isFinal = false

  /**
   * The first event reports a count of output that is not final, and the input: 0 or an estimate where the upstream
   * reports it at the end only.
   */
  get tokens(): StreamTokens {
    const input = inputTokensOf(this.#usage)
    const output = this.#usage?.output_tokens
    return {
      ...(input === undefined || input === 0 ? {} : { input }),
      ...(this.#isFinal && isTokenCount(output) ? { output } : {}),
      ...(this.#usage ? { detail: readMessageDetail(this.#usage) } : {}),
    }
  }

  get pieces(): number {
    return this.#output.tokens
  }

  pass(text: string, events: number): void {
    this.#output.pass(text, events)
  }

  read(value: unknown): void {
    if (!isObject(value)) return
    const { message, delta, usage } = value
    if (isObject(message)) this.#readStart(message)
    if (isObject(usage)) this.#readUsage(usage)
    if (isObject(delta) && typeof delta.stop_reason === 'string') this.finishReasons = [delta.stop_reason]
  }

  /** Counts are totals, and `null` counts nothing. A translated stream has none at all where its upstream reports none. */
  #readUsage(usage: JsonObject): void {
    const known = Object.entries(membersOf(usage, counts)).filter(([, count]) => count !== null)
    this.#usage = { ...this.#usage, ...Object.fromEntries(known) }
    if (usage.input_tokens !== null || usage.output_tokens !== 0) this.#isFinal = true
  }

  #readStart({ id, model, usage }: JsonObject): void {
    if (typeof id === 'string') this.id ??= id
    if (typeof model === 'string') this.model ??= model
    if (isObject(usage)) this.#usage = membersOf(usage, counts)
  }
}
