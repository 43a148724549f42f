import { jsonBody } from '../../endpoints/json-body.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import { wholeAnswer } from './endpoint-answer.ts'
import { sendEndpoint } from './send-endpoint.ts'
import { storedRequest } from './stored-request.ts'

type BatchHandlers = GatewayHandlers<'createBatch' | 'listBatches' | 'getBatch' | 'cancelBatch'>

const ENDPOINT = 'batches'

export const batchHandlers = (parts: HandlerParts): BatchHandlers => ({
  createBatch: (call) => {
    const { body, rawBody: raw } = call
    const request = {
      endpoint: ENDPOINT,
      method: 'POST',
      body: jsonBody({ value: body, raw }, { model: undefined }),
      // A second batch would run as well.
      isRepeatable: () => false,
      timeoutSeconds: body.timeout ?? undefined,
      ...(body.model ? { model: body.model } : {}),
    } as const
    return sendEndpoint(parts, call, storedRequest(call, request), wholeAnswer)
  },
  listBatches: (call) =>
    sendEndpoint(parts, call, storedRequest(call, { endpoint: ENDPOINT, method: 'GET' }), wholeAnswer),
  getBatch: (call) => {
    const suffix = `/${call.params.batch_id}`
    return sendEndpoint(parts, call, storedRequest(call, { endpoint: ENDPOINT, method: 'GET', suffix }), wholeAnswer)
  },
  cancelBatch: (call) => {
    const suffix = `/${call.params.batch_id}/cancel`
    return sendEndpoint(parts, call, storedRequest(call, { endpoint: ENDPOINT, method: 'POST', suffix }), wholeAnswer)
  },
})
