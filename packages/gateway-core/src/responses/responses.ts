import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import type { Completed, Streamed } from '../dialects/answering/answering.ts'
import type { DialectCall } from '../dialects/answering/front.ts'
import type { CountedTokens } from '../dialects/answering/input-counter.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { Responses as StatelessResponses } from '../dialects/responses/responses.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import type { ModelCalls } from '../models/model-calls.ts'
import type { DialectAnswer } from '../providers/provider.ts'
import type { BackgroundResponses } from './background-responses.ts'
import type { EventStream } from './event-replay.ts'
import { type KeepingParts, keepResponse, stated } from './keep-response.ts'
import { type PreparedResponse, prepareResponse } from './prepare-response.ts'
import { readsState } from './response-context.ts'
import type { ResponseContextError } from './response-state-error.ts'
import { rewrittenSink } from './rewritten-sink.ts'
import { responseOwnerOf } from './stored-response.ts'

/** Why a response was not created. */
export type ResponseError = ModelCallError | ResponseContextError

/** A complete response. `provider` is absent for one that runs in the background. */
export type CreatedResponse = Omit<Completed<DialectAnswer>, 'provider'> & { readonly provider?: string }

/** A stream of a response. The caller must attach or cancel it. `provider` is absent for one in the background. */
export type CreatedStream = Omit<Streamed, 'provider'> & { readonly provider?: string }

/**
 * Creates responses, which may continue earlier ones over any upstream. The gateway stores them itself, unless `store` is
 * `false` or it has no store.
 */
export interface Responses {
  /**
   * Returns a complete response, after retries and fallbacks, or with `background` one that is queued. `body.stream` must
   * not be `true`.
   */
  complete(call: GatewayCall, request: DialectCall): ResultAsync<CreatedResponse, ResponseError>
  /**
   * Resolves when the first event of the stream has arrived, or with `background` once the request is admitted. Then the
   * response continues when its client disconnects. `body.stream` must be `true`.
   */
  stream(call: GatewayCall, request: DialectCall): ResultAsync<CreatedStream, ResponseError>
  /** Counts the input tokens of a request with all that it continues. An estimate where the upstream cannot count. */
  countTokens(call: GatewayCall, request: DialectCall): ResultAsync<Completed<CountedTokens>, ResponseError>
  /** Has the upstream compact the input of a request with all that it continues. Nothing is stored. */
  compact(call: GatewayCall, request: DialectCall): ResultAsync<Completed<DialectAnswer>, ResponseError>
}

export interface ResponsesParts extends KeepingParts {
  readonly calls: Pick<ModelCalls, 'admit'>
  readonly answering: StatelessResponses
  /** Absent where nothing is stored. */
  readonly background: BackgroundResponses | undefined
  readonly onFault: (error: unknown) => void
}

const encoder = new TextEncoder()

export function createResponses(parts: ResponsesParts): Responses {
  const { answering, background, calls, onFault } = parts
  const contextParts = { ...parts, conversations: parts.repository }

  const prepare = async (call: GatewayCall, request: DialectCall): Promise<Result<PreparedResponse, ResponseError>> => {
    const { body } = request
    const refused = refusalOf(body, background !== undefined)
    if (refused) return err(refused)
    // Reading much that is stored must not be free.
    if (readsState(body)) {
      const admitted = await calls.admit(call, { model: String(body.model), kind: 'chat' })
      if (admitted.isErr()) return err(admitted.error)
    }
    return prepareResponse(contextParts, request, responseOwnerOf(call.caller))
  }

  /** An answer that cannot be stored is an answer. */
  const keep = async (
    call: GatewayCall,
    prepared: PreparedResponse,
    response: JsonObject,
    renames: boolean,
  ): Promise<JsonObject> => {
    try {
      return await keepResponse(parts, prepared, response, responseOwnerOf(call.caller), renames)
    } catch (error) {
      onFault(error)
      return response
    }
  }

  const complete = async (call: GatewayCall, request: DialectCall): Promise<Result<CreatedResponse, ResponseError>> => {
    const preparation = await prepare(call, request)
    if (preparation.isErr()) return err(preparation.error)
    const prepared = preparation.value
    if (background && request.body.background === true) {
      const started = await background.start(call, prepared)
      return started.map((value) => ({ answer: { value, bytes: encode(value) }, omitted: [] }))
    }
    const completed = await answering.complete(call, prepared.request)
    if (completed.isErr()) return err(completed.error)
    const { answer } = completed.value
    const value = await keep(call, prepared, stated(answer.value, prepared), true)
    return ok(
      value === answer.value
        ? completed.value
        : { ...completed.value, answer: { ...answer, value, bytes: encode(value) } },
    )
  }

  const stream = async (call: GatewayCall, request: DialectCall): Promise<Result<CreatedStream, ResponseError>> => {
    const preparation = await prepare(call, request)
    if (preparation.isErr()) return err(preparation.error)
    const prepared = preparation.value
    if (background && request.body.background === true) {
      const started = await background.start(call, prepared)
      return started.map(({ id }) => streamOf(background.events(String(id), -1) ?? noEvents))
    }
    const restate = (response: JsonObject) => stated(response, prepared)
    // Not the request itself, whose bytes a long stream would keep.
    const observe = request.onAnswer
    const onAnswer = (response: JsonObject) => {
      observe?.(response)
      void keep(call, prepared, restate(response), false)
    }
    const streamed = await answering.stream(call, { ...prepared.request, onAnswer })
    return prepared.id === undefined ? streamed : streamed.map((stream) => rewritten(stream, restate))
  }

  /** Without the members that are about an answer. */
  const wholeInput = ({ caller }: GatewayCall, request: DialectCall) =>
    new ResultAsync(prepareResponse(contextParts, request, responseOwnerOf(caller))).map((prepared): DialectCall => {
      if (prepared.id === undefined) return prepared.request
      const { store, include, ...body } = prepared.request.body
      return { ...prepared.request, body }
    })

  return {
    complete: (call, request) => new ResultAsync(complete(call, request)),
    stream: (call, request) => new ResultAsync(stream(call, request)),
    countTokens: (call, request) => wholeInput(call, request).andThen((whole) => answering.countTokens(call, whole)),
    compact: (call, request) => wholeInput(call, request).andThen((whole) => answering.compact(call, whole)),
  }
}

/** Returns a stream whose responses are as their client requested them. */
const rewritten = (streamed: Streamed, restate: (response: JsonObject) => JsonObject): Streamed => ({
  ...streamed,
  attach: (sink) => streamed.attach(rewrittenSink(sink, restate)),
})

const streamOf = ({ attach, cancel }: EventStream): CreatedStream => ({ headers: {}, omitted: [], attach, cancel })

/** Of a response whose events are dropped already. */
const noEvents: EventStream = {
  attach(sink) {
    sink.end()
    return { resume: () => undefined, close: () => undefined }
  },
  cancel: () => undefined,
}

function refusalOf({ background, store }: JsonObject, isStored: boolean): ResponseContextError | undefined {
  if (background !== true) return undefined
  if (!isStored) return { type: 'background-unsupported', param: 'background' }
  return store === false ? { type: 'background-unsupported', param: 'store' } : undefined
}

const encode = (value: JsonObject): Uint8Array => encoder.encode(JSON.stringify(value))
