import type { ChatUsage } from '../chat-completion.ts'
import { isObject } from '../is-object.ts'

/** The most choices that a request may have. */
const MAX_CHOICES = 128

/** The metadata and usage that a stream has reported so far. */
export class StreamAccount {
  id: string | undefined
  model: string | undefined
  /** The last one received, because some upstreams send running totals. */
  usage: Partial<ChatUsage> | undefined
  readonly finishReasons = new Map<number, string>()
  /** Chunks with a part of an answer, about one for each token. */
  pieces = 0

  /** @param value the chunk; `undefined` for one with only a part of the answer */
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

  /** Returns whether each of the `n` answers has a finish reason. */
  isFinished(n: number): boolean {
    return this.finishReasons.size >= n
  }

  #readChoice(choice: unknown): void {
    if (!isObject(choice)) return
    const isKnown = this.finishReasons.size < MAX_CHOICES
    if (isKnown && typeof choice.finish_reason === 'string') {
      this.finishReasons.set(typeof choice.index === 'number' ? choice.index : 0, choice.finish_reason)
    }
    if (isObject(choice.delta) && (choice.delta.content || choice.delta.tool_calls)) this.pieces += 1
  }
}

/** Returns whether a chunk is the one that `stream_options.include_usage` adds. */
export function isUsageOnly(value: unknown): boolean {
  return isObject(value) && isObject(value.usage) && Array.isArray(value.choices) && value.choices.length === 0
}
