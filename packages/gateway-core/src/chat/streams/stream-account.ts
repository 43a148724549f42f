import type { ChatUsage } from '../chat-completion.ts'
import { isObject } from '../is-object.ts'

/** The most that a request may ask for. */
const MOST_CHOICES = 128

/** What a stream has told about itself so far. */
export class StreamAccount {
  id: string | undefined
  model: string | undefined
  /** The last that came: some upstreams send running totals. */
  usage: Partial<ChatUsage> | undefined
  readonly finishReasons = new Map<number, string>()
  /** Chunks with a piece of an answer: about as many as tokens. */
  pieces = 0

  /** @param value the chunk; `undefined` for one in which nothing but a piece of the answer was */
  read(value: unknown): void {
    if (!isObject(value)) {
      this.pieces += 1
      return
    }
    if (typeof value.id === 'string') this.id ??= value.id
    if (typeof value.model === 'string') this.model ??= value.model
    const usage = value.usage ?? (isObject(value.x_groq) ? value.x_groq.usage : undefined)
    if (isObject(usage)) this.usage = usage
    if (Array.isArray(value.choices)) for (const choice of value.choices) this.#readChoice(choice)
  }

  /** Whether every one of the `n` answers has told why it ended. */
  isFinished(n: number): boolean {
    return this.finishReasons.size >= n
  }

  #readChoice(choice: unknown): void {
    if (!isObject(choice)) return
    const isKnown = this.finishReasons.size < MOST_CHOICES
    if (isKnown && typeof choice.finish_reason === 'string') {
      this.finishReasons.set(typeof choice.index === 'number' ? choice.index : 0, choice.finish_reason)
    }
    if (isObject(choice.delta) && (choice.delta.content || choice.delta.tool_calls)) this.pieces += 1
  }
}

/** Whether a chunk is the one that only `stream_options.include_usage` adds. */
export function isUsageOnly(value: unknown): boolean {
  return isObject(value) && isObject(value.usage) && Array.isArray(value.choices) && value.choices.length === 0
}
