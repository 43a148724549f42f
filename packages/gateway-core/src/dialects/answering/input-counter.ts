import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../../caller.ts'
import type { ModelCallError } from '../../models/model-call-error.ts'
import type { DialectAnswer, ProviderContext } from '../../providers/provider.ts'
import { ProviderFailure } from '../../providers/provider-error.ts'
import type { JsonObject } from '../dialect.ts'
import { DialectRequest } from '../requests/dialect-request.ts'
import type { AnsweringParts, Completed } from './answering.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import type { DialectCall } from './front.ts'
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

/** @param estimate returns the answer for upstreams that do not count */
export function inputCounter(
  { calls, forwardHeaders }: Pick<AnsweringParts, 'calls' | 'forwardHeaders'>,
  dialect: 'responses' | 'messages',
  estimate: (body: JsonObject) => Promise<JsonObject>,
): InputCounter {
  const count = async (
    service: UpstreamService,
    model: string,
    { body, raw, headers }: DialectCall,
    context: ProviderContext,
  ): Promise<CountedTokens> => {
    if (service.dialect === dialect && service.provider.countTokens) {
      const forwarded = forwardedHeaders(headers, dialect, forwardHeaders)
      try {
        const counted = await service.provider.countTokens(new DialectRequest(model, body, raw, forwarded), context)
        return { ...counted, estimated: false }
      } catch (thrown) {
        if (!isUncounted(thrown)) throw thrown
      }
    }
    const value = await estimate(body)
    return { value, bytes: encoder.encode(JSON.stringify(value)), headers: {}, estimated: true }
  }

  const countAll = async (
    call: GatewayCall,
    request: DialectCall,
  ): Promise<Result<Completed<CountedTokens>, ModelCallError>> => {
    const opened = await calls.open<UpstreamServices>(call, {
      kind: 'chat',
      purpose: dialect,
      serviceOf: (provider) => upstreamServicesOf(provider, dialect),
      model: String(request.body.model),
      streamed: false,
      estimateTokens: () => 0,
      estimateInput: () => 0,
      timeoutSeconds: undefined,
    })
    if (opened.isErr()) return err(opened.error)
    const modelCall = opened.value
    const answered = await modelCall.send(([service], model, context) => count(service, model, request, context))
    if (answered.isErr()) return err(answered.error)
    modelCall.settle({ status: 200 })
    return ok({ ...answered.value, omitted: [] })
  }

  return (call, request) => new ResultAsync(countAll(call, request))
}

/** Returns whether an upstream that speaks the dialect does not have the operation. */
const isUncounted = (thrown: unknown): boolean =>
  ProviderFailure.is(thrown) && thrown.error.type === 'refused' && [404, 405, 501].includes(thrown.error.status)
