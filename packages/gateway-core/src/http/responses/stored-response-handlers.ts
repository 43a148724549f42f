import { encodedJson } from '@trivium/http-contract'
import { relayOf } from '../chat/relay-of.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import { itemList } from './item-list.ts'
import { pageQuery } from './page-query.ts'
import { stateAnswer } from './state-answer.ts'

type StoredResponseOperation = 'getResponse' | 'deleteResponse' | 'cancelResponse' | 'listResponseInputItems'

export function storedResponseHandlers(parts: HandlerParts): GatewayHandlers<StoredResponseOperation> {
  const { storedResponses } = parts.gateway
  const answer = stateAnswer(parts)
  return {
    getResponse(call) {
      const { caller, params, query } = call
      const id = params.response_id
      return query.stream === 'true'
        ? answer(call, () => storedResponses.stream(caller, id, query.starting_after), relayOf)
        : answer(call, () => storedResponses.find(caller, id), encodedJson)
    },

    deleteResponse(call) {
      const id = call.params.response_id
      return answer(
        call,
        () => storedResponses.remove(call.caller, id),
        () => ({ id, object: 'response' as const, deleted: true as const }),
      )
    },

    cancelResponse: (call) =>
      answer(call, () => storedResponses.cancel(call.caller, call.params.response_id), encodedJson),

    listResponseInputItems(call) {
      const { caller, params, query } = call
      return answer(call, () => storedResponses.inputItems(caller, params.response_id, pageQuery(query)), itemList)
    },
  }
}
