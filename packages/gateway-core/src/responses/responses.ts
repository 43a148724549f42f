import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import type { Completed, Streamed } from '../dialects/answering/answering.ts'
import type { DialectCall } from '../dialects/answering/front.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { Responses as StatelessResponses } from '../dialects/responses/responses.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import type { DialectAnswer } from '../providers/provider.ts'
import type { BackgroundResponses } from './background-responses.ts'
import { type KeepingParts, keepResponse, stateOf } from './keep-response.ts'
import { type PreparedResponse, prepareResponse } from './prepare-response.ts'
import { withState } from './response-object.ts'
import type { ResponseContextError } from './response-state-error.ts'
import { responseOwnerOf } from './stored-response.ts'

/** Why a response was not created. */
export type ResponseError = ModelCallError | ResponseContextError

/** A complete response. `provider` is absent for one that runs in the background. */
export type CreatedResponse = Omit<Completed<DialectAnswer>, 'provider'> & { readonly provider?: string }

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
  /** Resolves when the first event of the stream has arrived. `body.stream` must be `true`. */
  stream(call: GatewayCall, request: DialectCall): ResultAsync<Streamed, ResponseError>
}

export interface ResponsesParts extends KeepingParts {
  readonly answering: StatelessResponses
  /** Absent where nothing is stored. */
  readonly background: BackgroundResponses | undefined
  readonly onFault: (error: unknown) => void
}

const encoder = new TextEncoder()

export function createResponses(parts: ResponsesParts): Responses {
  const { answering, background, onFault } = parts
  const contextParts = { ...parts, conversations: parts.repository }

  const prepare = async (
    { caller }: GatewayCall,
    request: DialectCall,
  ): Promise<Result<PreparedResponse, ResponseContextError>> => {
    const refused = refusalOf(request.body, background !== undefined)
    return refused ? err(refused) : prepareResponse(contextParts, request, responseOwnerOf(caller))
  }

  /** An answer that cannot be stored is an answer. */
  const keep = (call: GatewayCall, prepared: PreparedResponse, response: JsonObject): Promise<void> =>
    keepResponse(parts, prepared, response, responseOwnerOf(call.caller)).catch(onFault)

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
    const value = stated(answer.value, prepared)
    await keep(call, prepared, value)
    return ok(
      value === answer.value
        ? completed.value
        : { ...completed.value, answer: { ...answer, value, bytes: encode(value) } },
    )
  }

  const stream = async (call: GatewayCall, request: DialectCall): Promise<Result<Streamed, ResponseError>> => {
    const preparation = await prepare(call, request)
    if (preparation.isErr()) return err(preparation.error)
    const prepared = preparation.value
    // Not the request itself, whose bytes a long stream would keep.
    const observe = request.onAnswer
    const onAnswer = (response: JsonObject) => {
      observe?.(response)
      void keep(call, prepared, stated(response, prepared))
    }
    return answering.stream(call, { ...prepared.request, onAnswer })
  }

  return {
    complete: (call, request) => new ResultAsync(complete(call, request)),
    stream: (call, request) => new ResultAsync(stream(call, request)),
  }
}

/** Returns a response whose upstream got another request than the gateway. */
function stated(response: JsonObject, prepared: PreparedResponse): JsonObject {
  if (!prepared.isChanged) return response
  const { requested } = prepared.request
  return { ...withState(response, stateOf(prepared, false)), store: requested?.store !== false }
}

function refusalOf({ background, stream, store }: JsonObject, isStored: boolean): ResponseContextError | undefined {
  if (background !== true) return undefined
  if (!isStored) return { type: 'background-unsupported', param: 'background' }
  if (stream === true) return { type: 'background-unsupported', param: 'stream' }
  return store === false ? { type: 'background-unsupported', param: 'store' } : undefined
}

const encode = (value: JsonObject): Uint8Array => encoder.encode(JSON.stringify(value))
