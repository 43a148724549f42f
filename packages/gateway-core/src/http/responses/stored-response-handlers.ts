import { encodedJson } from '@trivium/http-contract'
import { answerHeaders } from '../access/answer-headers.ts'
import { relayOf } from '../chat/relay-of.ts'
import { type GatewayHandlers, type HandlerParts, refuseCall } from '../handler-parts.ts'
import { itemList } from './item-list.ts'
import { pageQuery } from './page-query.ts'

type StoredResponseOperation = 'getResponse' | 'deleteResponse' | 'cancelResponse' | 'listResponseInputItems'

export const storedResponseHandlers = ({ gateway, now }: HandlerParts): GatewayHandlers<StoredResponseOperation> => ({
  async getResponse(call) {
    const { stream, starting_after: after } = call.query
    if (stream === 'true') {
      const streamed = await gateway.storedResponses.stream(call.caller, call.params.response_id, after)
      if (streamed.isErr()) return refuseCall(streamed.error, call, now())
      return { status: 200, headers: answerHeaders(call, now()), body: relayOf(streamed.value) }
    }
    const found = await gateway.storedResponses.find(call.caller, call.params.response_id)
    if (found.isErr()) return refuseCall(found.error, call, now())
    return { status: 200, headers: answerHeaders(call, now()), body: encodedJson(found.value) }
  },

  async deleteResponse(call) {
    const id = call.params.response_id
    const removed = await gateway.storedResponses.remove(call.caller, id)
    if (removed.isErr()) return refuseCall(removed.error, call, now())
    return { status: 200, headers: answerHeaders(call, now()), body: { id, object: 'response', deleted: true } }
  },

  async cancelResponse(call) {
    const cancelled = await gateway.storedResponses.cancel(call.caller, call.params.response_id)
    if (cancelled.isErr()) return refuseCall(cancelled.error, call, now())
    return { status: 200, headers: answerHeaders(call, now()), body: encodedJson(cancelled.value) }
  },

  async listResponseInputItems(call) {
    const { caller, params, query } = call
    const listed = await gateway.storedResponses.inputItems(caller, params.response_id, pageQuery(query))
    if (listed.isErr()) return refuseCall(listed.error, call, now())
    return { status: 200, headers: answerHeaders(call, now()), body: itemList(listed.value) }
  },
})
