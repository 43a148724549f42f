import type { ProviderError } from '../../providers/provider-error.ts'
import type { Annotation, OutputPart } from './conversation-parts.ts'

/** A complete answer between two dialects. */
export interface ConversationAnswer {
  /** The upstream's id, of any form. */
  readonly id: string
  readonly model: string
  /** Seconds since 1970. */
  readonly created: number
  readonly content: readonly OutputPart[]
  readonly ending: AnswerEnding
  /** Absent where the upstream reports none. */
  readonly usage?: ConversationUsage
  /** OpenAI's words. */
  readonly serviceTier?: string
}

/** Why an answer ended. */
export interface AnswerEnding {
  /** `pause`: Anthropic's `pause_turn` that is not continued: the answer is incomplete. `context`: the context window is full. */
  readonly reason: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'refusal' | 'pause' | 'context'
  /** The stop sequence that the model wrote, as Anthropic reports it. */
  readonly stopSequence?: string
}

/** Token counts. Parts are included in their totals. */
export interface ConversationUsage {
  /** Tokens read from and written to a cache included. */
  readonly inputTokens: number
  /** Reasoning included. */
  readonly outputTokens: number
  readonly cachedTokens?: number
  readonly cacheWriteTokens?: number
  /** Those of `cacheWriteTokens` that are kept for an hour. */
  readonly cacheWriteHourTokens?: number
  readonly reasoningTokens?: number
  /** Web searches by the upstream. */
  readonly searches?: number
}

/**
 * One step of a streamed answer. The order is: `start`; for each part `part`, its additions, `part-end`; `finish`. Parts
 * do not overlap, except tool calls of chat completions, which may. `error` ends a stream at any time. A stream without
 * `finish` and `error` was cut.
 */
export type ConversationEvent =
  | {
      readonly type: 'start'
      readonly id: string
      readonly model: string
      readonly created: number
      readonly usage?: ConversationUsage
    }
  /** A part begins. Its texts are empty, its ids and names are known. `index` counts from 0, in the order of the answer. */
  | { readonly type: 'part'; readonly index: number; readonly part: OutputPart }
  /** Text to append to the text of the part: text, refusal, reasoning or the input of a call. */
  | {
      readonly type: 'text'
      readonly index: number
      readonly text: string
      readonly logProbabilities?: readonly unknown[]
    }
  /** Text to append to the summary number `summary` of a reasoning part. */
  | { readonly type: 'summary'; readonly index: number; readonly summary: number; readonly text: string }
  | { readonly type: 'annotation'; readonly index: number; readonly annotation: Annotation }
  /** The part is complete. `part` has all of it, signatures included. */
  | { readonly type: 'part-end'; readonly index: number; readonly part: OutputPart }
  | {
      readonly type: 'finish'
      readonly ending: AnswerEnding
      readonly usage?: ConversationUsage
      readonly serviceTier?: string
    }
  | { readonly type: 'error'; readonly error: ProviderError }
  | { readonly type: 'ping' }
