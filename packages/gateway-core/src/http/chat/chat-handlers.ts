import { encodedJson, relay } from '@trivium/http-contract'
import type { StreamedChat } from '../../chat/chat.ts'
import { CheckedRequest } from '../../chat/checked-request.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { type GatewayHandlers, type HandlerParts, refuseCall } from '../handler-parts.ts'
import { upstreamHeaders } from './upstream-headers.ts'

export const chatHandlers = ({ gateway, now }: HandlerParts): GatewayHandlers<'createChatCompletion'> => ({
  async createChatCompletion(call) {
    const { body } = call
    const request = new CheckedRequest(body, call.rawBody)
    if (body.stream) {
      const streamed = await gateway.chat.stream(call, request)
      if (streamed.isErr()) return refuseCall(streamed.error, call, now())
      const { provider, headers } = streamed.value
      return {
        status: 200,
        headers: answerHeaders(call, now(), upstreamHeaders(provider, headers)),
        body: relayOf(streamed.value),
      }
    }
    const completed = await gateway.chat.complete(call, request)
    if (completed.isErr()) return refuseCall(completed.error, call, now())
    const { answer, provider } = completed.value
    return {
      status: 200,
      headers: answerHeaders(call, now(), upstreamHeaders(provider, answer.headers)),
      body: encodedJson(answer.kind === 'encoded' ? answer.bytes : JSON.stringify(answer.completion)),
    }
  },
})

const relayOf = (streamed: StreamedChat) =>
  relay(
    (sink) => streamed.attach(sink),
    () => streamed.cancel(),
  )
