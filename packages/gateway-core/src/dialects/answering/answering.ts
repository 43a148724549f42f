import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../../caller.ts'
import type { ByteSink, SinkControl } from '../../chat/streams/byte-sink.ts'
import type { Drains } from '../../chat/streams/drains.ts'
import { StreamRelay } from '../../chat/streams/stream-relay.ts'
import type { ModelCall } from '../../models/model-call.ts'
import type { ModelCallError } from '../../models/model-call-error.ts'
import type { ModelCalls } from '../../models/model-calls.ts'
import type { ProviderContext } from '../../providers/provider.ts'
import { toProviderError } from '../../providers/provider-error.ts'
import { ClientRequest, type ClientRequestParts } from './client-request.ts'
import type { DialectCall, Front } from './front.ts'
import { settleStream } from './settle-stream.ts'
import { type UpstreamServices, upstreamServicesOf } from './upstream-service.ts'

/** A complete answer and its provider. */
export interface Completed<Whole> {
  readonly answer: Whole
  readonly provider: string
  /** The client's names of tools and hints that the upstream did not get. */
  readonly omitted: readonly string[]
}

/** A stream whose first event has arrived. The caller must attach or cancel it. */
export interface Streamed {
  readonly provider: string
  /** The upstream's headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The client's names of tools and hints that the upstream did not get. */
  readonly omitted: readonly string[]
  /** Sends the event stream in the dialect of the client to the sink. May be called once. */
  attach(sink: ByteSink): SinkControl
  /** Ends a stream that was not attached. */
  cancel(): void
}

/** Answers the requests of one dialect with the upstreams of their models. */
export interface Answering<Whole> {
  /** Returns a complete answer, after retries and fallbacks. `body.stream` must not be `true`. */
  complete(call: GatewayCall, request: DialectCall): ResultAsync<Completed<Whole>, ModelCallError>
  /**
   * Resolves when the first event of the stream has arrived. Until then, retries and fallbacks are possible. Later
   * failures are an error event in the stream. `body.stream` must be `true`.
   */
  stream(call: GatewayCall, request: DialectCall): ResultAsync<Streamed, ModelCallError>
}

/** What the services of all dialects share. */
export interface AnsweringParts extends ClientRequestParts {
  readonly calls: ModelCalls
  readonly firstByteSeconds: number
  readonly idleSeconds: number
  readonly keepAliveSeconds: number
  /** Tokens that a budget reserves for an answer if the request sets no maximum. */
  readonly defaultOutputTokens: number
  /** `undefined`: the upstream's stream is cancelled when its client disconnects. */
  readonly drains: Drains | undefined
}

/** Creates the service of one dialect. */
export function createAnswering<Whole>(front: Front<Whole>, parts: AnsweringParts): Answering<Whole> {
  const { calls, defaultOutputTokens, firstByteSeconds } = parts

  const open = (call: GatewayCall, { body }: DialectCall, client: ClientRequest<Whole>, streamed: boolean) =>
    calls.open<UpstreamServices>(call, {
      kind: 'chat',
      purpose: front.purpose,
      serviceOf: (provider) => upstreamServicesOf(provider, front.dialect),
      model: String(body.model),
      streamed,
      estimateTokens: () => client.estimateInput() + (front.outputLimit(body) ?? defaultOutputTokens),
      outputParam: front.outputParam(body),
      estimateInput: () => (client.isAsking ? client.estimateInput() : 0),
      spent: () => client.lost,
      timeoutSeconds: typeof body.timeout === 'number' ? body.timeout : undefined,
    })

  const complete = async (
    call: GatewayCall,
    request: DialectCall,
  ): Promise<Result<Completed<Whole>, ModelCallError>> => {
    const client = new ClientRequest(front, call, request, parts)
    const opened = await open(call, request, client, false)
    if (opened.isErr()) return err(opened.error)
    const modelCall = opened.value
    const answered = await modelCall.send((services, model, context) => client.complete(services, model, context))
    if (answered.isErr()) return err(answered.error)
    const { provider, answer } = answered.value
    const value = front.valueOf(answer.answer)
    const usage = client.spent ?? front.usageOf(request.body, value)
    modelCall.settle({ status: 200, ...usage, ...front.factsOf(value) })
    request.onAnswer?.(value)
    return ok({ ...answer, answer: front.shown?.(answer.answer, request.body) ?? answer.answer, provider })
  }

  const openRelay = async (
    modelCall: ModelCall<UpstreamServices>,
    client: ClientRequest<Whole>,
    { services, model, context, abort }: StreamCall,
    { onAnswer }: Pick<DialectCall, 'onAnswer'>,
  ) => {
    const source = await client.stream(services, model, context)
    const { protocol, start, secrets, headers, omitted, inputTokens, ended } = source
    const { estimateInput: estimated } = client
    const estimateInput = () => inputTokens() ?? estimated()
    const relay = new StreamRelay({
      protocol,
      keepAliveMs: parts.keepAliveSeconds * 1000,
      idleTimeoutMs: parts.idleSeconds * 1000,
      maxEventBytes: parts.maxEventBytes,
      secrets,
      drains: parts.drains,
      abort,
      onSettled: (ending) => {
        settleStream(modelCall, protocol.account, { estimateInput, ended: ended?.() }, ending)
        if (protocol.account.answer) onAnswer?.(protocol.account.answer)
      },
    })
    await relay.open(start)
    modelCall.begin((end) => (end === 'client-left' ? relay.disconnect() : relay.fail(totalTimeout())))
    return { relay, headers, omitted }
  }

  const stream = async (call: GatewayCall, request: DialectCall): Promise<Result<Streamed, ModelCallError>> => {
    const client = new ClientRequest(front, call, request, parts)
    const opened = await open(call, request, client, true)
    if (opened.isErr()) return err(opened.error)
    const modelCall = opened.value
    const answered = await modelCall.send(
      (services, model, context, abort) => openRelay(modelCall, client, { services, model, context, abort }, request),
      firstByteSeconds * 1000,
    )
    return answered.map(({ answer, provider }) => streamedOf(provider, answer))
  }

  return {
    complete: (call, request) => new ResultAsync(complete(call, request)),
    stream: (call, request) => new ResultAsync(stream(call, request)),
  }
}

/** One attempt at a stream. */
interface StreamCall {
  readonly services: UpstreamServices
  readonly model: string
  readonly context: ProviderContext
  readonly abort: () => void
}

interface OpenedRelay extends Pick<Streamed, 'headers' | 'omitted'> {
  readonly relay: StreamRelay
}

/** Refers to no part of the request, because a stream may be open for long. */
const streamedOf = (provider: string, { relay, headers, omitted }: OpenedRelay): Streamed => ({
  provider,
  headers,
  omitted,
  attach: (sink) => relay.attach(sink),
  cancel: () => relay.disconnect(),
})

const totalTimeout = () =>
  toProviderError({
    type: 'timed-out',
    phase: 'total',
    message: 'The answer took longer than the timeout of the request.',
  })
