import type { Call } from '@trivium/http-contract'
import type { Caller } from '../../caller.ts'
import { jsonBody } from '../../endpoints/json-body.ts'
import type { GatewayContract } from '../contract.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import { completionAnswer } from './completion-answer.ts'
import { completionRequest } from './completion-request.ts'
import { bytesAnswer, wholeAnswer } from './endpoint-answer.ts'
import { estimateInputs, mediaField, searchUnitsOf, soundTokensOf } from './input-size.ts'
import { sendEndpoint } from './send-endpoint.ts'

type EndpointHandlers = GatewayHandlers<
  'createEmbedding' | 'createCompletion' | 'createModeration' | 'createSpeech' | 'createRerank' | 'createRerankV2'
>

type RerankCall = Call<GatewayContract['createRerank' | 'createRerankV2'], Caller>

export function endpointHandlers(parts: HandlerParts): EndpointHandlers {
  const rerank = (call: RerankCall) => {
    const { body, rawBody: raw } = call
    const request = {
      endpoint: 'rerank',
      model: body.model,
      body: jsonBody({ value: body, raw }),
      texts: body,
      value: body,
      estimateInput: () => estimateInputs(body.query) + estimateInputs(body.documents),
      searchUnits: searchUnitsOf(body.documents),
      unboundedField: () => mediaField(body, ['documents', 'query']),
      timeoutSeconds: body.timeout ?? undefined,
    } as const
    return sendEndpoint(parts, call, request, wholeAnswer)
  }
  return {
    createEmbedding: (call) => {
      const { body, rawBody: raw } = call
      const request = {
        endpoint: 'embeddings',
        model: body.model,
        body: jsonBody({ value: body, raw }),
        value: body,
        texts: body,
        clientHeaders: call.rawHeaders,
        estimateInput: () => estimateInputs(body.input),
        unboundedField: () => mediaField(body, ['input']),
        endUserIn: body,
        timeoutSeconds: body.timeout ?? undefined,
      } as const
      return sendEndpoint(parts, call, request, wholeAnswer)
    },
    createCompletion: (call) => {
      const request = completionRequest(call.body, call.rawBody)
      return sendEndpoint(parts, call, request, completionAnswer(request.streamed === true))
    },
    createModeration: (call) => {
      const { body, rawBody: raw } = call
      const request = {
        endpoint: 'moderations',
        model: body.model ?? undefined,
        body: jsonBody({ value: body, raw }),
        texts: body,
        value: body,
        estimateInput: () => estimateInputs(body.input),
        timeoutSeconds: body.timeout ?? undefined,
      } as const
      return sendEndpoint(parts, call, request, wholeAnswer)
    },
    createSpeech: (call) => {
      const { body, rawBody: raw } = call
      const request = {
        endpoint: 'speech',
        model: body.model,
        body: jsonBody({ value: body, raw }),
        texts: { input: body.input },
        value: body,
        accept: body.stream_format === 'sse' ? 'text/event-stream' : 'application/octet-stream',
        streamed: true,
        characters: body.input.length,
        soundTokens: soundTokensOf(body.input, body.speed ?? 1),
        estimateInput: () => estimateInputs(body.input) + estimateInputs(body.instructions),
        timeoutSeconds: body.timeout ?? undefined,
      } as const
      return sendEndpoint(parts, call, request, bytesAnswer)
    },
    createRerank: rerank,
    createRerankV2: rerank,
  }
}
