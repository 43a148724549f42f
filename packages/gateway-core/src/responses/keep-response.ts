import type { JsonObject } from '../dialects/dialect.ts'
import { appendItems, type ConversationsParts } from './conversations.ts'
import type { PreparedResponse } from './prepare-response.ts'
import { inputItems, outputItems } from './response-items.ts'
import type { RequestedState } from './response-object.ts'
import type { ResponseStore } from './response-store.ts'
import type { ResponseOwner } from './stored-response.ts'

export interface KeepingParts extends ConversationsParts {
  /** Absent where nothing is stored. */
  readonly store: ResponseStore | undefined
}

/** Returns what a response says about its request. */
export const stateOf = ({ context }: PreparedResponse, background: boolean): RequestedState => ({
  background,
  ...(context.previousId !== undefined && { previousId: context.previousId }),
  ...(context.conversationId !== undefined && { conversationId: context.conversationId }),
})

/** Stores a response, unless its client does not want that, and adds its turn to its conversation. */
export async function keepResponse(
  parts: KeepingParts,
  prepared: PreparedResponse,
  response: JsonObject,
  owner: ResponseOwner,
): Promise<void> {
  const { requested = prepared.request.body } = prepared.request
  const { previousId, conversationId } = prepared.context
  if (requested.store !== false) {
    await parts.store?.save({
      owner,
      response,
      input: inputItems(prepared.input),
      ...(previousId !== undefined && { previousId }),
      ...(conversationId !== undefined && { conversationId }),
    })
  }
  await extendConversation(parts, prepared, response)
}

/** Adds the turn of an answered request to its conversation. */
export async function extendConversation(
  parts: KeepingParts,
  { context, input }: PreparedResponse,
  response: JsonObject,
): Promise<void> {
  const { conversationId } = context
  if (conversationId === undefined || response.status === 'failed' || response.status === 'cancelled') return
  // The answer is there, so it is added beyond the limit. The next request is then refused.
  const maxLength = parts.bounds.maxContextBytes + parts.bounds.maxStoredBytes
  await appendItems(parts, conversationId, [...inputItems(input), ...outputItems(response)], maxLength)
}
