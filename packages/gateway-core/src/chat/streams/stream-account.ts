import type { JsonObject } from '../../dialects/dialect.ts'
import type { StreamAccount, StreamTokens } from '../../dialects/streams/stream-protocol.ts'
import { isTokenCount } from '../../usage/token-count.ts'
import { isObject } from '../is-object.ts'

/** The most choices that a request may have. */
const MAX_CHOICES = 128

/** The metadata and usage that a stream of chat chunks has reported so far. */
export class ChatStreamAccount implements StreamAccount {
  id: string | undefined
  model: string | undefined
  /** The last one received, because some upstreams send running totals. */
  usage: JsonObject | undefined
  pieces = 0
  readonly #choices: number
  readonly #finishReasons = new Map<number, string>()

  /** @param choices the number of answers (`n`) that must finish */
  constructor(choices: number) {
    this.#choices = choices
  }

  get finishReasons(): readonly string[] {
    return [...this.#finishReasons.values()]
  }

  /** Whether each of the `n` answers has a finish reason. */
  get isComplete(): boolean {
    return this.#finishReasons.size >= this.#choices
  }

  get tokens(): StreamTokens {
    const { prompt_tokens: input, completion_tokens: output } = this.usage ?? {}
    if (!isTokenCount(input) && !isTokenCount(output)) return {}
    return { input: isTokenCount(input) ? input : 0, output: isTokenCount(output) ? output : 0 }
  }

  pass(_: string, events: number): void {
    this.pieces += events
  }

  read(value: unknown): void {
    if (!isObject(value)) return
    if (typeof value.id === 'string') this.id ??= value.id
    if (typeof value.model === 'string') this.model ??= value.model
    const usage = value.usage ?? (isObject(value.x_groq) ? value.x_groq.usage : undefined)
    if (isObject(usage)) this.usage = usage
    if (Array.isArray(value.choices)) for (const choice of value.choices) this.#readChoice(choice)
  }

  #readChoice(choice: unknown): void {
    if (!isObject(choice)) return
    const isKnown = this.#finishReasons.size < MAX_CHOICES
    if (isKnown && typeof choice.finish_reason === 'string') {
      this.#finishReasons.set(typeof choice.index === 'number' ? choice.index : 0, choice.finish_reason)
    }
    if (isObject(choice.delta) ? choice.delta.content || choice.delta.tool_calls : choice.text) this.pieces += 1
  }
}

/** Returns whether a chunk is the one that `stream_options.include_usage` adds. */
export function isUsageOnly(value: unknown): boolean {
  return isObject(value) && isObject(value.usage) && Array.isArray(value.choices) && value.choices.length === 0
}
