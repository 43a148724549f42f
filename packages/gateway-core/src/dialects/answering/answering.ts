import { err, errAsync, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../../caller.ts'
import type { AnswerFacts } from '../../chat/answer-facts.ts'
import type { ByteSink, SinkControl } from '../../chat/streams/byte-sink.ts'
import type { Drains } from '../../chat/streams/drains.ts'
import { type StreamEnding, StreamRelay } from '../../chat/streams/stream-relay.ts'
import type { ModelCall } from '../../models/model-call.ts'
import type { ModelCallError } from '../../models/model-call-error.ts'
import type { ModelCalls } from '../../models/model-calls.ts'
import type { ProviderContext } from '../../providers/provider.ts'
import { toProviderError } from '../../providers/provider-error.ts'
import { requestBound } from '../bounds/request-bound.ts'
import type { JsonObject } from '../dialect.ts'
import { ClientRequest, type ClientRequestParts } from './client-request.ts'
import { asksForCost, costedProtocol } from './costed-protocol.ts'
import type { DialectCall, Front } from './front.ts'
import { governedRequest } from './governed-request.ts'
import { settleStream, streamUsage } from './settle-stream.ts'
import { observedStart } from './stream-observer.ts'
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
  readonly keepAliveSeconds: number
  /** Tokens that a budget reserves for an answer if the request sets no maximum. */
  readonly defaultOutputTokens: number
  readonly drains: Drains
  /**
   * Whether every stream is drained when its client disconnects, and not only those of callers with a limit of money.
   * Others are cancelled.
   */
  readonly drainsAll: boolean
  /** What is around the service, the innermost first. */
  readonly layers: readonly AnsweringLayer[]
}

/** Makes a service around that of one dialect. */
export type AnsweringLayer = <Whole>(front: Front<Whole>, service: Answering<Whole>) => Answering<Whole>

/** Creates the service of one dialect. */
export function createAnswering<Whole>(front: Front<Whole>, parts: AnsweringParts): Answering<Whole> {
  const { calls, defaultOutputTokens, firstByteSeconds } = parts

  const open = (call: GatewayCall, request: DialectCall, client: ClientRequest<Whole>, streamed: boolean) => {
    const { body } = request
    return calls.open<UpstreamServices>(call, {
      kind: 'chat',
      purpose: front.purpose,
      serviceOf: (target) => upstreamServicesOf(target, front.dialect),
      model: String(body.model),
      streamed,
      estimateTokens: () => client.estimateInput() + (front.outputLimit(body) ?? defaultOutputTokens),
      bound: (targets) => {
        client.isBound = true
        return {
          ...requestBound(front, request, targets, parts.modelSearch),
          limitOutput: (tokens) => client.limitOutput(tokens),
        }
      },
      outputParam: front.outputParam(body),
      estimateInput: () => (client.isAsking ? client.estimateInput() : 0),
      isAsking: () => client.isAsking,
      spent: () => client.lost,
      ownSearches: () => client.ownSearches,
      endUserIn: body,
      timeoutSeconds: typeof body.timeout === 'number' ? body.timeout : undefined,
    })
  }

  const complete = async (
    call: GatewayCall,
    request: DialectCall,
  ): Promise<Result<Completed<Whole>, ModelCallError>> => {
    const client = new ClientRequest(front, call, request, parts)
    const opened = await open(call, request, client, false)
    if (opened.isErr()) return err(opened.error)
    const modelCall = opened.value
    const usageOf = (value: JsonObject) => client.spent ?? front.usageOf(request.body, value)
    const answered = await modelCall.send((services, model, context) => client.complete(services, model, context), {
      usageOfRefusal(answer) {
        const value = front.valueOf(answer.answer)
        return isRefusal(front.factsOf(value)) ? usageOf(value) : undefined
      },
    })
    if (answered.isErr()) return err(answered.error)
    const { provider, answer } = answered.value
    const value = front.valueOf(answer.answer)
    const usage = usageOf(value)
    const cost = modelCall.settle({ status: 200, ...usage, ...front.factsOf(value) })
    if (cost !== undefined) call.cost = cost
    request.onAnswer?.(value)
    return ok({ ...answer, answer: front.shown?.(answer.answer, request.body) ?? answer.answer, provider })
  }

  const openRelay = async (
    modelCall: ModelCall<UpstreamServices>,
    client: ClientRequest<Whole>,
    { services, model, context, abort }: StreamCall,
    { onAnswer, observeStream, headers: asked }: Pick<DialectCall, 'onAnswer' | 'observeStream' | 'headers'>,
  ) => {
    const source = await client.stream(services, model, context)
    const { start, secrets, headers, omitted, inputTokens, ended } = source
    const { estimateInput: estimated } = client
    const estimateInput = () => inputTokens() ?? estimated()
    const observer = observeStream?.()
    const { account } = source.protocol
    const costOf = () =>
      modelCall.shownCost({ status: 200, ...streamUsage(account, { estimateInput, ended: ended?.() }) })
    const protocol = asksForCost(asked) ? costedProtocol(source.protocol, front.dialect, costOf) : source.protocol
    const relay = new StreamRelay({
      protocol,
      keepAliveMs: parts.keepAliveSeconds * 1000,
      idleTimeoutMs: modelCall.idleMs,
      maxEventBytes: parts.maxEventBytes,
      secrets,
      drains: parts.drainsAll || modelCall.isPaid ? parts.drains : undefined,
      abort,
      onSettled: (ending) => {
        settleStream(modelCall, account, { estimateInput, ended: ended?.() }, ending)
        if (account.answer) onAnswer?.(account.answer)
        if (observer && isComplete(ending)) observer.complete()
      },
    })
    await relay.open(observer ? observedStart(start, observer) : start)
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
      { firstByteMs: firstByteSeconds * 1000 },
    )
    return answered.map(({ answer, provider }) => streamedOf(provider, answer))
  }

  const service: Answering<Whole> = {
    complete: (call, request) => new ResultAsync(complete(call, request)),
    stream: (call, request) => new ResultAsync(stream(call, request)),
  }
  const layered = parts.layers.reduce((inner, layer) => layer(front, inner), service)
  return {
    complete: (call, request) => {
      const governed = governedRequest(front, call.caller, request)
      return governed.isErr() ? errAsync(governed.error) : layered.complete(call, governed.value)
    },
    stream: (call, request) => {
      const governed = governedRequest(front, call.caller, request)
      return governed.isErr() ? errAsync(governed.error) : layered.stream(call, governed.value)
    },
  }
}

/** Returns whether the model, or a filter of its upstream, has refused to answer. */
const isRefusal = ({ finishReasons }: AnswerFacts): boolean =>
  finishReasons.some((reason) => reason === 'content_filter' || reason === 'refusal')

/** Returns whether the upstream's answer was read to its end, with or without its client. */
const isComplete = (ending: StreamEnding): boolean =>
  ending.type === 'complete' || (ending.type === 'client-left' && ending.drained)

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
