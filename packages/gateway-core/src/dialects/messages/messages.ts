import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../../caller.ts'
import type { ModelCallError } from '../../models/model-call-error.ts'
import type { DialectAnswer, ProviderContext } from '../../providers/provider.ts'
import { ProviderFailure } from '../../providers/provider-error.ts'
import { type Answering, type AnsweringParts, type Completed, createAnswering } from '../answering/answering.ts'
import { writtenAnswer } from '../answering/dialect-answers.ts'
import { forwardedHeaders } from '../answering/forwarded-headers.ts'
import type { DialectCall } from '../answering/front.ts'
import { type UpstreamService, upstreamServiceOf } from '../answering/upstream-service.ts'
import { DialectRequest } from '../requests/dialect-request.ts'
import { countTokens } from './count-tokens.ts'
import { messagesFront } from './messages-front.ts'

/** Answers requests in the form of Anthropic's messages with the providers of their model. */
export interface Messages extends Answering<DialectAnswer> {
  /** Counts the input tokens of a request: by the upstream where it can, and as an estimate elsewhere. */
  countTokens(call: GatewayCall, request: DialectCall): ResultAsync<Completed<CountedTokens>, ModelCallError>
}

/** The count of input tokens, as `{ "input_tokens": 12 }`. */
export interface CountedTokens extends DialectAnswer {
  /** Whether the upstream cannot count, so that this is an estimate. */
  readonly estimated: boolean
}

/** Creates the service of messages. */
export function createMessages(parts: AnsweringParts): Messages {
  const { calls, forwardHeaders } = parts

  const count = async (
    service: UpstreamService,
    model: string,
    { body, raw, headers }: DialectCall,
    context: ProviderContext,
  ): Promise<CountedTokens> => {
    if (service.dialect === 'messages' && service.provider.countTokens) {
      const forwarded = forwardedHeaders(headers, 'messages', forwardHeaders)
      try {
        const counted = await service.provider.countTokens(new DialectRequest(model, body, raw, forwarded), context)
        return { ...counted, estimated: false }
      } catch (thrown) {
        if (!isUncounted(thrown)) throw thrown
      }
    }
    return { ...writtenAnswer({ input_tokens: await countTokens(body) }, {}), estimated: true }
  }

  const countAll = async (
    call: GatewayCall,
    request: DialectCall,
  ): Promise<Result<Completed<CountedTokens>, ModelCallError>> => {
    const opened = await calls.open<UpstreamService>(call, {
      kind: 'chat',
      serviceOf: (provider) => upstreamServiceOf(provider, 'messages'),
      model: String(request.body.model),
      streamed: false,
      estimateTokens: () => 0,
      estimateInput: () => 0,
      timeoutSeconds: undefined,
    })
    if (opened.isErr()) return err(opened.error)
    const modelCall = opened.value
    const answered = await modelCall.send((service, model, context) => count(service, model, request, context))
    if (answered.isErr()) return err(answered.error)
    modelCall.settle({ status: 200 })
    return ok({ ...answered.value, omitted: [] })
  }

  return {
    ...createAnswering(messagesFront, parts),
    countTokens: (call, request) => new ResultAsync(countAll(call, request)),
  }
}

/** Returns whether an upstream that speaks messages does not have the operation. */
const isUncounted = (thrown: unknown): boolean =>
  ProviderFailure.is(thrown) && thrown.error.type === 'refused' && [404, 405, 501].includes(thrown.error.status)
