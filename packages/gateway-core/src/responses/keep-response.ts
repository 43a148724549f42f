import type { JsonObject } from '../dialects/dialect.ts'
import { appendItems, type ConversationsParts } from './conversations.ts'
import type { PreparedResponse } from './prepare-response.ts'
import { inputItems, outputItems, randomId } from './response-items.ts'
import { withState } from './response-object.ts'
import type { ResponseStore } from './response-store.ts'
import type { ResponseOwner } from './stored-response.ts'

export interface KeepingParts extends ConversationsParts {
  /** Absent where nothing is stored. */
  readonly store: ResponseStore | undefined
}

/** Returns a response as its client requested it, where its upstream got another request. */
export function stated(response: JsonObject, { id, request, context }: PreparedResponse): JsonObject {
  if (id === undefined) return response
  const { requested = request.body } = request
  return withState(response, {
    id,
    background: requested.background === true,
    store: requested.store !== false,
    instructions: requested.instructions,
    ...(context.previousId !== undefined && { previousId: context.previousId }),
    ...(context.conversationId !== undefined && { conversationId: context.conversationId }),
  })
}

/**
 * Stores a response, unless its client does not want that, and adds its turn to its conversation.
 *
 * @param renames whether the response gets another id where its own is taken or has no form of one
 * @returns the response with its id
 */
export async function keepResponse(
  parts: KeepingParts,
  prepared: PreparedResponse,
  response: JsonObject,
  owner: ResponseOwner,
  renames: boolean,
): Promise<JsonObject> {
  const { requested = prepared.request.body } = prepared.request
  const { previousId, conversationId } = prepared.context
  if (requested.store === false && conversationId === undefined) return response
  const input = inputItems(prepared.input)
  const save = (saved: JsonObject) =>
    parts.store?.save({
      owner,
      response: saved,
      input,
      ...(previousId !== undefined && { previousId }),
      ...(conversationId !== undefined && { conversationId }),
    })
  let kept = response
  if (requested.store !== false && (await save(response)) === 'id-unusable' && renames) {
    kept = { ...response, id: randomId('resp') }
    await save(kept)
  }
  await extendConversation(parts, prepared, kept)
  return kept
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
