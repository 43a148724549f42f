import { encodedJson } from '@trivium/http-contract'
import type { GatewayCall } from '../../caller.ts'
import { CheckedRequest } from '../../dialects/requests/checked-request.ts'
import type { ModelCallError } from '../../models/model-call-error.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { addAnthropicRateHeaders } from '../access/rate-headers.ts'
import { relayOf } from '../chat/relay-of.ts'
import { type AnsweredBy, upstreamHeaders } from '../chat/upstream-headers.ts'
import { toMessageFailure } from '../errors/to-failure.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import { messageFailure } from './message-failure.ts'

export function messageHandlers({
  gateway,
  now,
  searchRights,
}: HandlerParts): GatewayHandlers<'createMessage' | 'countMessageTokens'> {
  const headersOf = (call: GatewayCall, headers: Record<string, string>) =>
    answerHeaders(call, now(), headers, addAnthropicRateHeaders)
  const answered = (call: GatewayCall, by: AnsweredBy) => headersOf(call, upstreamHeaders(by))
  const refused = (call: GatewayCall, error: ModelCallError) => {
    const failure = toMessageFailure(error)
    return messageFailure({ ...failure, headers: headersOf(call, { ...failure.headers }) }, call.requestId)
  }

  return {
    async createMessage(call) {
      const { body } = call
      const request = new CheckedRequest(body, call.rawBody, call.rawHeaders, searchRights.of(call.caller))
      if (body.stream) {
        const streamed = await gateway.messages.stream(call, request)
        if (streamed.isErr()) return refused(call, streamed.error)
        return { status: 200, headers: answered(call, streamed.value), body: relayOf(streamed.value) }
      }
      const completed = await gateway.messages.complete(call, request)
      if (completed.isErr()) return refused(call, completed.error)
      const { answer, provider, omitted } = completed.value
      const headers = answered(call, { provider, omitted, headers: answer.headers })
      return { status: 200, headers, body: encodedJson(answer.bytes) }
    },

    async countMessageTokens(call) {
      const request = new CheckedRequest(call.body, call.rawBody, call.rawHeaders)
      const counted = await gateway.messages.countTokens(call, request)
      if (counted.isErr()) return refused(call, counted.error)
      const { answer, provider, omitted } = counted.value
      const headers = answered(call, { provider, omitted, headers: answer.headers })
      if (answer.estimated) headers['x-trivium-estimated'] = 'true'
      return { status: 200, headers, body: encodedJson(answer.bytes) }
    },
  }
}
