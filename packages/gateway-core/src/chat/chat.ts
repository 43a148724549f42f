import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import { checkRange, MAX_TIMER_SECONDS } from '../check-range.ts'
import type { ModelCall } from '../models/model-call.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import type { ModelCalls } from '../models/model-calls.ts'
import { CLIENT_DISCONNECTED, statusOf } from '../providers/error-status.ts'
import type { ChatAnswer, ChatProvider, ChatStream, Provider, ProviderContext } from '../providers/provider.ts'
import { toProviderError } from '../providers/provider-error.ts'
import { factsOf } from './answer-facts.ts'
import { streamUsageOf, usageOf } from './answer-usage.ts'
import type { ChatCompletionRequest } from './chat-request.ts'
import { estimateCost, estimateInput } from './estimate-tokens.ts'
import { asksForUsage, UpstreamRequest } from './requests/upstream-request.ts'
import type { ByteSink, SinkControl } from './streams/byte-sink.ts'
import { createDrains, type DrainOptions } from './streams/drains.ts'
import { chunksOf, encodeChunks } from './streams/encode-chunks.ts'
import { type StreamEnding, StreamRelay } from './streams/stream-relay.ts'

/** A chat request of a client. */
export interface ChatRequest {
  /** Validated. */
  readonly body: ChatCompletionRequest
  /** The bytes that `body` was parsed from, where the transport has them. */
  readonly raw: Uint8Array | undefined
}

/** A complete answer and its provider. */
export interface CompletedChat {
  readonly answer: ChatAnswer
  readonly provider: string
}

/** A stream whose first event has arrived. The caller must attach or cancel it. */
export interface StreamedChat {
  readonly provider: string
  /** The upstream's headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Sends the event stream in OpenAI's format to the sink. May be called once. */
  attach(sink: ByteSink): SinkControl
  /** Ends a stream that was not attached. */
  cancel(): void
}

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

/** Options of chats and their streams. */
export interface ChatOptions {
  /** Whether to cancel the upstream's stream when its client disconnects, or to read the rest for its usage. @default 'cancel' */
  readonly onDisconnect?: 'cancel' | 'drain'
  /** Limits of reading on, for `onDisconnect: 'drain'`. @default 100 streams, each with 1 MiB and 30 seconds */
  readonly drain?: DrainOptions
  /** A comment is sent each time a stream was silent for that long, from 0.001 to 2,147,483. @default 15 */
  readonly keepAliveSeconds?: number
  /** The most bytes in one event of a stream, at least 1. @default 16 MiB */
  readonly maxEventBytes?: number
  /** Tokens that a budget reserves for an answer if the request sets no maximum, at least 0. @default 1024 */
  readonly defaultOutputTokens?: number
}

export interface ChatParts {
  readonly calls: ModelCalls
  readonly firstByteSeconds: number
  readonly idleSeconds: number
}

export function createChat(options: ChatOptions, { calls, firstByteSeconds, idleSeconds }: ChatParts): Chat {
  const {
    onDisconnect = 'cancel',
    keepAliveSeconds = 15,
    maxEventBytes = 2 ** 24,
    defaultOutputTokens = 1024,
  } = options
  checkRange({ 'chat.keepAliveSeconds': keepAliveSeconds }, 0.001, MAX_TIMER_SECONDS)
  checkRange({ 'chat.maxEventBytes': maxEventBytes }, 1, Number.MAX_SAFE_INTEGER)
  checkRange({ 'chat.defaultOutputTokens': defaultOutputTokens }, 0, Number.MAX_SAFE_INTEGER)
  const drains = onDisconnect === 'drain' ? createDrains(options.drain) : undefined

  const open = (call: GatewayCall, body: ChatCompletionRequest, streamed: boolean) =>
    calls.open(call, {
      kind: 'chat',
      serviceOf: chatOf,
      model: body.model,
      streamed,
      estimateTokens: () => estimateCost(body, defaultOutputTokens),
      estimateInput: () => estimateInput(body),
      timeoutSeconds: body.timeout ?? undefined,
    })

  const complete = async (
    call: GatewayCall,
    { body, raw }: ChatRequest,
  ): Promise<Result<CompletedChat, ModelCallError>> => {
    const opened = await open(call, body, false)
    if (opened.isErr()) return err(opened.error)
    const modelCall = opened.value
    const answered = await modelCall.send((chat, model, context) =>
      chat.complete(new UpstreamRequest(model, body, raw, false), context),
    )
    if (answered.isErr()) return err(answered.error)
    const { completion } = answered.value.answer
    modelCall.settle({ status: 200, ...usageOf(body, completion), ...factsOf(completion) })
    return ok(answered.value)
  }

  const openRelay = async (
    modelCall: ModelCall<ChatProvider>,
    { body, raw }: ChatRequest,
    chat: ChatProvider,
    model: string,
    context: ProviderContext,
    abort: () => void,
  ) => {
    const asksUsage = chat.asksStreamUsage ?? true
    const includeUsage = asksForUsage(body)
    const source = await chat.stream(new UpstreamRequest(model, body, raw, asksUsage), context)
    const relay: StreamRelay = new StreamRelay({
      choices: body.n ?? 1,
      // Typed streams always report their usage.
      stripUsage: !includeUsage && (asksUsage || source.kind !== 'encoded'),
      keepAliveMs: keepAliveSeconds * 1000,
      idleTimeoutMs: idleSeconds * 1000,
      maxEventBytes,
      secrets: (source.kind === 'encoded' && source.secrets) || [],
      drains,
      abort,
      onSettled: (ending) => settleStream(modelCall, relay, body, ending),
    })
    await relay.open(startOf(source, includeUsage))
    modelCall.begin((end) => (end === 'client-left' ? relay.disconnect() : relay.fail(totalTimeout())))
    return { relay, headers: source.headers ?? {} }
  }

  const stream = async (call: GatewayCall, request: ChatRequest): Promise<Result<StreamedChat, ModelCallError>> => {
    const opened = await open(call, request.body, true)
    if (opened.isErr()) return err(opened.error)
    const modelCall = opened.value
    const answered = await modelCall.send(
      (chat, model, context, abort) => openRelay(modelCall, request, chat, model, context, abort),
      firstByteSeconds * 1000,
    )
    if (answered.isErr()) return err(answered.error)
    const { answer, provider } = answered.value
    const { relay, headers } = answer
    return ok({
      provider,
      headers,
      attach: (sink) => relay.attach(sink),
      cancel: () => relay.disconnect(),
    })
  }

  return {
    complete: (call, request) => new ResultAsync(complete(call, request)),
    stream: (call, request) => new ResultAsync(stream(call, request)),
  }
}

const chatOf = ({ chat }: Provider) => chat

function startOf(stream: ChatStream, includeUsage: boolean) {
  switch (stream.kind) {
    case 'encoded':
      return stream.start
    case 'chunks':
      return encodeChunks(stream.chunks)
    case 'completion':
      return encodeChunks(chunksOf(stream.completion, includeUsage))
  }
}

function settleStream(
  modelCall: ModelCall<ChatProvider>,
  { account }: StreamRelay,
  body: ChatCompletionRequest,
  ending: StreamEnding,
): void {
  modelCall.settle({
    status:
      ending.type === 'complete' ? 200 : ending.type === 'client-left' ? CLIENT_DISCONNECTED : statusOf(ending.error),
    ...streamUsageOf(body, account.usage, account.pieces),
    partial: ending.type !== 'complete',
    ...(ending.type === 'upstream-failed' ? { errorType: ending.error.type } : {}),
    ...(account.id === undefined ? {} : { responseId: account.id }),
    ...(account.model === undefined ? {} : { responseModel: account.model }),
    finishReasons: [...account.finishReasons.values()],
  })
}

const totalTimeout = () =>
  toProviderError({
    type: 'timed-out',
    phase: 'total',
    message: 'The answer took longer than the timeout of the request.',
  })
