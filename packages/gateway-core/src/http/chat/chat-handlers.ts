import { encodedJson } from '@trivium/http-contract'
import { CheckedRequest } from '../../dialects/requests/checked-request.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { type GatewayHandlers, type HandlerParts, refuseCall } from '../handler-parts.ts'
import { relayOf } from './relay-of.ts'
import { upstreamHeaders } from './upstream-headers.ts'

export const chatHandlers = ({ gateway, now }: HandlerParts): GatewayHandlers<'createChatCompletion'> => ({
  async createChatCompletion(call) {
    const { body } = call
    const request = new CheckedRequest(body, call.rawBody, call.rawHeaders)
    if (body.stream) {
      const streamed = await gateway.chat.stream(call, request)
      if (streamed.isErr()) return refuseCall(streamed.error, call, now())
      return {
        status: 200,
        headers: answerHeaders(call, now(), upstreamHeaders(streamed.value)),
        body: relayOf(streamed.value),
      }
    }
    const completed = await gateway.chat.complete(call, request)
    if (completed.isErr()) return refuseCall(completed.error, call, now())
    const { answer, provider, omitted } = completed.value
    return {
      status: 200,
      headers: answerHeaders(call, now(), upstreamHeaders({ provider, omitted, headers: answer.headers })),
      body: encodedJson(answer.kind === 'encoded' ? answer.bytes : JSON.stringify(answer.completion)),
    }
  },
})
