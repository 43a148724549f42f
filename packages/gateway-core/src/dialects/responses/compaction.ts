import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../../caller.ts'
import type { ModelCallError } from '../../models/model-call-error.ts'
import type { DialectAnswer } from '../../providers/provider.ts'
import type { AnsweringParts, Completed } from '../answering/answering.ts'
import { forwardedHeaders } from '../answering/forwarded-headers.ts'
import type { DialectCall } from '../answering/front.ts'
import { TranslationFailure } from '../answering/translation-failure.ts'
import { type UpstreamServices, upstreamServicesOf } from '../answering/upstream-service.ts'
import { DialectRequest } from '../requests/dialect-request.ts'
import { responsesFront } from './responses-front.ts'

/** Has the upstream compact the items of a request. Others than upstreams of responses with this operation refuse it. */
export type Compaction = (
  call: GatewayCall,
  request: DialectCall,
) => ResultAsync<Completed<DialectAnswer>, ModelCallError>

export function createCompaction({
  calls,
  forwardHeaders,
  defaultOutputTokens,
}: Pick<AnsweringParts, 'calls' | 'forwardHeaders' | 'defaultOutputTokens'>): Compaction {
  const compact = async (
    call: GatewayCall,
    { body, raw, headers }: DialectCall,
  ): Promise<Result<Completed<DialectAnswer>, ModelCallError>> => {
    const estimateInput = () => responsesFront.estimateInput(body)
    const opened = await calls.open<UpstreamServices>(call, {
      kind: 'chat',
      purpose: responsesFront.purpose,
      serviceOf: (provider) => upstreamServicesOf(provider, 'responses'),
      model: String(body.model),
      streamed: false,
      estimateTokens: () => estimateInput() + defaultOutputTokens,
      estimateInput,
      timeoutSeconds: typeof body.timeout === 'number' ? body.timeout : undefined,
    })
    if (opened.isErr()) return err(opened.error)
    const modelCall = opened.value
    const forwarded = forwardedHeaders(headers, 'responses', forwardHeaders)
    const answered = await modelCall.send(async ([service], model, context) => {
      const compacting = service.dialect === 'responses' ? service.provider.compact : undefined
      if (!compacting) throw uncompacted()
      return compacting(new DialectRequest(model, body, raw, forwarded), context)
    })
    if (answered.isErr()) return err(answered.error)
    const { value } = answered.value.answer
    modelCall.settle({ status: 200, ...responsesFront.usageOf(body, value), ...responsesFront.factsOf(value) })
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
