import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../../caller.ts'
import type { ModelCallError } from '../../models/model-call-error.ts'
import type { DialectAnswer } from '../../providers/provider.ts'
import type { AnsweringParts, Completed } from '../answering/answering.ts'
import { forwardedHeaders } from '../answering/forwarded-headers.ts'
import type { DialectCall } from '../answering/front.ts'
import { governedRequest } from '../answering/governed-request.ts'
import { TranslationFailure } from '../answering/translation-failure.ts'
import { type UpstreamServices, upstreamServicesOf } from '../answering/upstream-service.ts'
import { requestBound } from '../bounds/request-bound.ts'
import { DialectRequest } from '../requests/dialect-request.ts'
import { responsesFront } from './responses-front.ts'

/** Has the upstream compact the items of a request. Others than upstreams of responses with this operation refuse it. */
export type Compaction = (
  call: GatewayCall,
  request: DialectCall,
) => ResultAsync<Completed<DialectAnswer>, ModelCallError>

export function createCompaction({
  calls,
  defaultOutputTokens,
}: Pick<AnsweringParts, 'calls' | 'defaultOutputTokens'>): Compaction {
  const compact = async (
    call: GatewayCall,
    request: DialectCall,
  ): Promise<Result<Completed<DialectAnswer>, ModelCallError>> => {
    const governed = governedRequest(responsesFront, call.caller, request)
    if (governed.isErr()) return err(governed.error)
    const { body, raw, headers } = governed.value
    const estimateInput = () => responsesFront.estimateInput(body)
    const opened = await calls.open<UpstreamServices>(call, {
      kind: 'chat',
      purpose: responsesFront.purpose,
      serviceOf: (target) => upstreamServicesOf(target, 'responses'),
      model: String(body.model),
      streamed: false,
      estimateTokens: () => estimateInput() + defaultOutputTokens,
      bound: (targets) => {
        const bound = requestBound(responsesFront, { body, raw }, targets, undefined)
        const { hidden, unbounded = hidden } = bound
        // What is compacted is not longer than before.
        return { ...bound, outputTokens: bound.inputTokens, ...(unbounded !== undefined && { unbounded }) }
      },
      estimateInput,
      timeoutSeconds: typeof body.timeout === 'number' ? body.timeout : undefined,
    })
    if (opened.isErr()) return err(opened.error)
    const modelCall = opened.value
    const answered = await modelCall.send(async ([service], model, context) => {
      const compacting = service.dialect === 'responses' ? service.provider.compact : undefined
      if (!compacting) throw uncompacted()
      const forwarded = forwardedHeaders(headers, 'responses', service.forwardHeaders)
      return compacting(new DialectRequest(model, body, raw, forwarded), context)
    })
    if (answered.isErr()) return err(answered.error)
    const { value } = answered.value.answer
    const usage = responsesFront.usageOf(body, value)
    const cost = modelCall.settle({ status: 200, ...usage, ...responsesFront.factsOf(value) })
    if (cost !== undefined) call.cost = cost
    return ok({ ...answered.value, omitted: [] })
  }

  return (call, request) => new ResultAsync(compact(call, request))
}

const uncompacted = () =>
  new TranslationFailure({
    type: 'unsupported',
    param: 'model',
    message: 'The upstream of this model has no compaction.',
  })
