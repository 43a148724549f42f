import type { Promisable } from 'type-fest'
import type { AnswerFacts } from '../../chat/answer-facts.ts'
import type { AnswerUsage } from '../../chat/answer-usage.ts'
import type { Dialect, JsonObject } from '../dialect.ts'
import type { StreamProtocol } from '../streams/stream-protocol.ts'
import type { ClientHeaders } from './forwarded-headers.ts'
import type { StreamObserver } from './stream-observer.ts'
import type { UpstreamWhole } from './upstream-calls.ts'

/** A request of a client in one dialect. */
export interface DialectCall {
  /** Validated. */
  readonly body: JsonObject
  /** The bytes that `body` was parsed from, where the transport has them. Absent for a body that was changed since. */
  readonly raw?: Uint8Array | undefined
  /** Headers of the client. Those that upstreams may get are selected from them. @default none */
  readonly headers?: ClientHeaders
  /** The id of the answer, where the gateway has named it before. Only translated answers get it. @default a new one */
  readonly answerId?: string
  /** The client's own body, where `body` was changed. Translated responses repeat it. @default `body` */
  readonly requested?: JsonObject
  /**
   * Receives the complete answer: the body of a whole one, or the `response` of the last event of a streamed response,
   * failed ones included. It is called in the same turn in which the client gets its end. It is not called for a stream
   * that was cut, nor for streams of the other dialects, whose events do not have the answer. It must not throw.
   */
  readonly onAnswer?: (answer: JsonObject) => void
  /**
   * Creates what reads a stream in the dialect of the client, for each attempt.
   *
   * @default none
   */
  readonly observeStream?: () => StreamObserver
  /**
   * Whether the gateway may search the web for the model, where the request offers this and the upstream cannot. Called
   * where it matters.
   *
   * @default yes
   */
  readonly maySearch?: () => Promisable<boolean>
}

/** What the service has to know of the dialect of its clients. */
export interface Front<Whole> {
  readonly dialect: Dialect
  /** What the requests are, in messages. */
  readonly purpose: string
  /** Estimates the tokens of the prompt. */
  estimateInput(body: JsonObject): number
  /** Returns the most output tokens of all answers, where the request limits them. */
  outputLimit(body: JsonObject): number | undefined
  /** The members of requests that limit or multiply the output. */
  readonly limits: readonly string[]
  /** Returns the number of answers that the request asks for. @default always 1 */
  answers?(body: JsonObject): number
  /** Returns the name of the field that limits the output. */
  outputParam(body: JsonObject): string
  /**
   * Creates the protocol of one stream.
   *
   * @param addsUsage whether the gateway requested the usage itself
   */
  protocol(body: JsonObject, requestId: string, addsUsage: boolean): StreamProtocol
  /** Returns the answer of an upstream of this dialect as it came. */
  passed(answer: UpstreamWhole): Whole
  /** Returns an answer that was translated to this dialect. @param bytes its JSON */
  written(value: JsonObject, bytes: Uint8Array, headers: Readonly<Record<string, string>>): Whole
  /** Returns an answer as its client gets it. @default as it is */
  shown?(answer: Whole, body: JsonObject): Whole
  /** Returns the parsed value of an answer. */
  valueOf(answer: Whole): JsonObject
  /** Returns the upstream's headers of an answer. */
  headersOf(answer: Whole): Readonly<Record<string, string>>
  /** Returns the usage of a complete answer, estimated where the upstream reports none. */
  usageOf(body: JsonObject, value: JsonObject): AnswerUsage
  /** Returns what the usage record keeps of a complete answer. */
  factsOf(value: JsonObject): AnswerFacts
}
