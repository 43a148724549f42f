import type { ProviderError } from '../../providers/provider-error.ts'
import type { PricedDetail } from '../../usage/usage-detail.ts'
import type { JsonObject } from '../dialect.ts'

/** One event of a stream, as far as the gateway reads it. */
export type StreamEvent =
  /** A comment, an event without data, or a ping. */
  | { readonly type: 'nothing' }
  /** The last event of a complete answer. `value` is what the account reads of it. */
  | { readonly type: 'done'; readonly value?: unknown }
  /** `value` is the upstream's error. `last`: nothing follows it. `chunk` is what the account reads of the event. */
  | { readonly type: 'error'; readonly value: unknown; readonly last?: true; readonly chunk?: unknown }
  /** `value` is parsed only where the gateway needs it, and `undefined` otherwise. */
  | { readonly type: 'chunk'; readonly value: unknown }
  /** Data that is not a JSON object. */
  | { readonly type: 'unreadable' }

/** How the streams of one dialect are read and ended. One is created for each stream. */
export interface StreamProtocol {
  readonly account: StreamAccount
  /** Sent while a stream is silent. */
  readonly keepAlive: string
  /** Sent after a complete answer whose upstream left it out; empty where the last event ends it. */
  readonly end: string
  /** Returns whether these events are only relayed. It may return `false` for some of them. */
  arePlain(text: string): boolean
  /** @param parseAll whether to parse the data even where the text seems irrelevant */
  read(text: string, parseAll: boolean): StreamEvent
  /** Returns whether the client did not request this event. */
  hides(value: unknown): boolean
  /**
   * Returns what the client gets in place of an event that was parsed: by default its text. The account reads the event
   * as the upstream sent it.
   */
  shown?(value: unknown, text: string): string
  /** Encodes the last event of a stream that failed. */
  errorEvent(error: ProviderError): string
  /** Returns what follows the last error event of an upstream. @default nothing */
  afterError?(error: ProviderError): string
}

/** The metadata and usage that a stream has reported so far. */
export interface StreamAccount {
  readonly id: string | undefined
  readonly model: string | undefined
  readonly tokens: StreamTokens
  readonly finishReasons: readonly string[]
  /** An estimate of the output tokens: events with a part of the answer, or by its characters where events are long. */
  readonly pieces: number
  /** Whether the answer is complete where the stream ends without its last event. */
  readonly isComplete: boolean
  /** The complete answer, where the last event has it. */
  readonly answer?: JsonObject | undefined
  /** Reads an event that was parsed. */
  read(value: unknown): void
  /** Counts events with only a part of the answer, which were not parsed. */
  pass(text: string, events: number): void
}

/** The tokens that a stream has reported. */
export interface StreamTokens {
  readonly input?: number
  /** Absent before the final count. */
  readonly output?: number
  /** @default nothing reported */
  readonly detail?: PricedDetail
}
