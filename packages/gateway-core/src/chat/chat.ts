import type { ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import { type AnsweringParts, type Completed, createAnswering, type Streamed } from '../dialects/answering/answering.ts'
import type { ClientHeaders } from '../dialects/answering/forwarded-headers.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import type { ChatAnswer } from '../providers/provider.ts'
import { chatFront } from './chat-front.ts'
import type { ChatCompletionRequest } from './chat-request.ts'
import type { DrainOptions } from './streams/drains.ts'

/** A chat request of a client. */
export interface ChatRequest {
  /** Validated. */
  readonly body: ChatCompletionRequest
  /** The bytes that `body` was parsed from, where the transport has them. */
  readonly raw: Uint8Array | undefined
  /** Headers of the client. Those that upstreams may get are selected from them. @default none */
  readonly headers?: ClientHeaders
}

/** A complete answer and its provider. */
export type CompletedChat = Completed<ChatAnswer>

/** A stream whose first event has arrived. The caller must attach or cancel it. */
export type StreamedChat = Streamed

/** Sends chats to the providers of their model. */
export interface Chat {
  /** Returns a complete answer, after retries and fallbacks. `body.stream` must not be `true`. */
  complete(call: GatewayCall, request: ChatRequest): ResultAsync<CompletedChat, ModelCallError>
  /**
   * Resolves when the first event of the stream has arrived. Until then, retries and fallbacks are possible. Later
   * failures are an error event in the stream. `body.stream` must be `true`.
   */
  stream(call: GatewayCall, request: ChatRequest): ResultAsync<StreamedChat, ModelCallError>
}

/** Options of chat completions, responses and messages, and their streams. */
export interface ChatOptions {
  /**
   * Whether to cancel the upstream's stream when its client disconnects, or to read the rest for its usage. The rest is
   * always read where the caller has a limit of money.
   *
   * @default 'cancel'
   */
  readonly onDisconnect?: 'cancel' | 'drain'
  /**
   * Limits of reading on. For callers with a limit of money they hold for all answers, and what is not read to its end
   * counts as the most that it can cost.
   *
   * @default 100 streams, each with 1 MiB and 30 seconds
   */
  readonly drain?: DrainOptions
  /** A comment or a ping is sent each time a stream was silent for that long, from 0.001 to 2,147,483. @default 15 */
  readonly keepAliveSeconds?: number
  /** The most bytes in one event of a stream, at least 1. @default 16 MiB */
  readonly maxEventBytes?: number
  /** Tokens that a budget reserves for an answer if the request sets no maximum, at least 0. @default 1024 */
  readonly defaultOutputTokens?: number
}

/** Creates the service of chat completions. */
export const createChat = (parts: AnsweringParts): Chat => createAnswering(chatFront, parts)
