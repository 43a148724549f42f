import { encodedJson } from '@trivium/http-contract'
import { CheckedRequest } from '../../dialects/requests/checked-request.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { relayOf } from '../chat/relay-of.ts'
import { upstreamHeaders } from '../chat/upstream-headers.ts'
import { type GatewayHandlers, type HandlerParts, refuseCall } from '../handler-parts.ts'

export const responseHandlers = ({
  gateway,
  now,
  searchRights,
}: HandlerParts): GatewayHandlers<'createResponse' | 'countResponseTokens' | 'compactResponse'> => ({
  async createResponse(call) {
    const { body } = call
    const request = new CheckedRequest(body, call.rawBody, call.rawHeaders, searchRights.of(call.caller))
    if (body.stream) {
      const streamed = await gateway.responses.stream(call, request)
      if (streamed.isErr()) return refuseCall(streamed.error, call, now())
      const { provider, omitted, headers } = streamed.value
      return {
        status: 200,
        headers: answerHeaders(call, now(), upstreamHeaders({ provider, omitted, headers })),
        body: relayOf(streamed.value),
      }
    }
    const completed = await gateway.responses.complete(call, request)
    if (completed.isErr()) return refuseCall(completed.error, call, now())
    const { answer, provider, omitted } = completed.value
    return {
      status: 200,
      headers: answerHeaders(call, now(), upstreamHeaders({ provider, omitted, headers: answer.headers })),
      body: encodedJson(answer.bytes),
    }
  },

  async countResponseTokens(call) {
    const counted = await gateway.responses.countTokens(
      call,
      new CheckedRequest(call.body, call.rawBody, call.rawHeaders),
    )
    if (counted.isErr()) return refuseCall(counted.error, call, now())
    const { answer, provider, omitted } = counted.value
    const headers = answerHeaders(call, now(), upstreamHeaders({ provider, omitted, headers: answer.headers }))
    if (answer.estimated) headers['x-trivium-estimated'] = 'true'
    return { status: 200, headers, body: encodedJson(answer.bytes) }
  },

  async compactResponse(call) {
    const compacted = await gateway.responses.compact(
      call,
      new CheckedRequest(call.body, call.rawBody, call.rawHeaders),
    )
    if (compacted.isErr()) return refuseCall(compacted.error, call, now())
    const { answer, provider, omitted } = compacted.value
    const headers = answerHeaders(call, now(), upstreamHeaders({ provider, omitted, headers: answer.headers }))
    return { status: 200, headers, body: encodedJson(answer.bytes) }
  },
})
