import type { JsonObject } from '../../dialects/dialect.ts'
import { OutputEstimate, startOfText } from '../../dialects/streams/output-estimate.ts'
import type { StreamAccount, StreamTokens } from '../../dialects/streams/stream-protocol.ts'
import { readDetail, serviceTierIn } from '../../usage/read-detail.ts'
import { isTokenCount } from '../../usage/token-count.ts'
import type { PricedDetail } from '../../usage/usage-detail.ts'
import { isObject } from '../is-object.ts'

/** The members of a chunk whose texts a model writes. */
const TEXT = startOfText('content', 'reasoning_content', 'reasoning', 'refusal', 'arguments', 'text')

/** The most choices that a request may have. */
const MAX_CHOICES = 128

/** The metadata and usage that a stream of chat chunks has reported so far. */
export class ChatStreamAccount implements StreamAccount {
  id: string | undefined
  model: string | undefined
  /** The last one received, because some upstreams send running totals. */
  usage: JsonObject | undefined
  #tier: Pick<PricedDetail, 'serviceTier'> = {}
  readonly #output = new OutputEstimate(TEXT)
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
    return {
      ...(isTokenCount(input) && input > 0 && { input }),
      ...(isTokenCount(output) && { output }),
      detail: { ...readDetail(this.usage ?? {}), ...this.#tier },
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
    if (typeof value.id === 'string') this.id ??= value.id
    if (typeof value.model === 'string') this.model ??= value.model
    if (value.service_tier !== undefined) this.#tier = serviceTierIn(value)
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
    const { delta, text } = choice
    const characters = isObject(delta) ? textLength(delta) : lengthOf(text)
    if (characters > 0 || (isObject(delta) && (delta.content || delta.tool_calls))) this.#output.add(characters)
  }
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0)

function textLength(delta: JsonObject): number {
  const calls: readonly unknown[] = Array.isArray(delta.tool_calls) ? delta.tool_calls : []
  const given = calls.map((call) => (isObject(call) && isObject(call.function) ? call.function.arguments : undefined))
  return [delta.content, delta.reasoning_content, delta.reasoning, ...given].reduce<number>(
    (sum, value) => sum + lengthOf(value),
    0,
  )
}

/** Returns whether a chunk is the one that `stream_options.include_usage` adds. */
export function isUsageOnly(value: unknown): boolean {
  return isObject(value) && isObject(value.usage) && Array.isArray(value.choices) && value.choices.length === 0
}
