import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../../caller.ts'
import type { ModelCallError } from '../../models/model-call-error.ts'
import type { DialectAnswer, DialectProvider, ProviderContext } from '../../providers/provider.ts'
import { ProviderFailure } from '../../providers/provider-error.ts'
import { isTokenCount } from '../../usage/token-count.ts'
import type { JsonObject } from '../dialect.ts'
import { DialectRequest } from '../requests/dialect-request.ts'
import { encodeInTurns } from '../requests/encode-in-turns.ts'
import type { AnsweringParts, Completed } from './answering.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import type { DialectCall } from './front.ts'
import { governedRequest } from './governed-request.ts'
import { RequestTranslator } from './request-translator.ts'
import { TranslationFailure } from './translation-failure.ts'
import { type UpstreamService, type UpstreamServices, upstreamServicesOf } from './upstream-service.ts'

const encoder = new TextEncoder()

/** The count of input tokens, with the member `input_tokens`. */
export interface CountedTokens extends DialectAnswer {
  /** Whether the upstream cannot count, so that this is an estimate. */
  readonly estimated: boolean
}

/** Counts the input tokens of a request: by the upstream where it can, and as an estimate elsewhere. */
export type InputCounter = (
  call: GatewayCall,
  request: DialectCall,
) => ResultAsync<Completed<CountedTokens>, ModelCallError>

export interface InputCounterOptions {
  /** That of the clients. */
  readonly dialect: 'responses' | 'messages'
  /** Estimates the tokens for upstreams that do not count. */
  readonly estimate: (body: JsonObject) => Promise<number>
  /** Returns the answer of the clients' dialect. */
  readonly written: (inputTokens: number) => JsonObject
}

interface Counted {
  readonly counted: CountedTokens
  readonly omitted: readonly string[]
}

/** Requests are translated for the counter of an upstream of another dialect, as they are for its answers. */
export function inputCounter(
  { calls, now, newId }: Pick<AnsweringParts, 'calls' | 'now' | 'newId'>,
  { dialect, estimate, written }: InputCounterOptions,
): InputCounter {
  const answerOf = (inputTokens: number, estimated: boolean): CountedTokens => {
    const value = written(inputTokens)
    return { value, bytes: encoder.encode(JSON.stringify(value)), headers: {}, estimated }
  }

  const countOwn = async (
    provider: Counting,
    { forwardHeaders }: UpstreamService,
    model: string,
    { body, raw, headers }: DialectCall,
    context: ProviderContext,
  ): Promise<Counted> => {
    const forwarded = forwardedHeaders(headers, dialect, forwardHeaders)
    const counted = await provider.countTokens(new DialectRequest(model, body, raw, forwarded), context)
    return { counted: { ...counted, estimated: false }, omitted: [] }
  }

  const countTranslated = async (
    provider: Counting,
    service: UpstreamService,
    model: string,
    request: DialectCall,
    context: ProviderContext,
  ): Promise<Counted> => {
    const translated = new RequestTranslator(dialect, request, { now, newId, estimateInput: noEstimate }).translate(
      service,
      model,
    )
    const body = service.dialect === 'responses' ? countable(translated.body) : translated.body
    const raw = await encodeInTurns(body, context.signal)
    const forwarded = forwardedHeaders(request.headers, service.dialect, service.forwardHeaders)
    const { value, headers = {} } = await provider.countTokens(new DialectRequest(model, body, raw, forwarded), context)
    if (!isTokenCount(value.input_tokens)) throw noCount()
    return { counted: { ...answerOf(value.input_tokens, false), headers }, omitted: translated.omitted }
  }

  const count = async (
    service: UpstreamService,
    model: string,
    request: DialectCall,
    context: ProviderContext,
  ): Promise<Counted> => {
    const provider = service.dialect === 'chat' ? undefined : service.provider
    if (provider && canCount(provider)) {
      try {
        return service.dialect === dialect
          ? await countOwn(provider, service, model, request, context)
          : await countTranslated(provider, service, model, request, context)
      } catch (thrown) {
        if (!isUncounted(thrown)) throw thrown
      }
    }
    return { counted: answerOf(await estimate(request.body), true), omitted: [] }
  }

  const countAll = async (
    call: GatewayCall,
    asked: DialectCall,
  ): Promise<Result<Completed<CountedTokens>, ModelCallError>> => {
    const governed = governedRequest({ limits }, call.caller, asked)
    if (governed.isErr()) return err(governed.error)
    const request = governed.value
    const opened = await calls.open<UpstreamServices>(call, {
      kind: 'chat',
      purpose: dialect,
      serviceOf: (target) => upstreamServicesOf(target, dialect),
      model: String(request.body.model),
      streamed: false,
      estimateTokens: () => 0,
      // Vendors count for nothing.
      bound: () => ({ inputTokens: 0, outputTokens: 0 }),
      estimateInput: () => 0,
      timeoutSeconds: undefined,
    })
    if (opened.isErr()) return err(opened.error)
    const modelCall = opened.value
    const answered = await modelCall.send(([service], model, context) => count(service, model, request, context))
    if (answered.isErr()) return err(answered.error)
    modelCall.settle({ status: 200 })
    const { answer, provider } = answered.value
    return ok({ answer: answer.counted, provider, omitted: answer.omitted })
  }

  return (call, request) => new ResultAsync(countAll(call, request))
}

/** The limits of output, which count for nothing. */
const limits = ['max_tokens', 'max_output_tokens']

type Counting = Required<Pick<DialectProvider, 'countTokens'>>

const canCount = (provider: DialectProvider): provider is DialectProvider & Counting =>
  provider.countTokens !== undefined

/** What OpenAI's counter knows of a request. It refuses other fields. */
const countedFields: ReadonlySet<string> = new Set(
  'model input instructions tools tool_choice parallel_tool_calls reasoning text truncation'.split(' '),
)

const countable = (body: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => countedFields.has(name)))

/** Returns whether the upstream does not have the operation, or its dialect cannot carry the request. */
const isUncounted = (thrown: unknown): boolean =>
  thrown instanceof TranslationFailure ||
  (ProviderFailure.is(thrown) && thrown.error.type === 'refused' && [404, 405, 501].includes(thrown.error.status))

const noCount = (): ProviderFailure =>
  new ProviderFailure({ type: 'malformed', message: 'The upstream answered without a count of tokens.' })

/** Only answers that are translated begin with an estimate. */
const noEstimate = () => 0
