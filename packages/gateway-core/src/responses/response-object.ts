import { isObject } from '../chat/is-object.ts'
import { parseJson } from '../chat/parse-json.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { ResponseId, ResponseStatus } from './stored-response.ts'

/** The members of a response that state how it was requested, and not what was answered. */
export interface RequestedState {
  readonly id: ResponseId
  readonly previousId?: ResponseId
  readonly conversationId?: string
  readonly background: boolean
  readonly store: boolean
  /** Absent where the request has none. */
  readonly instructions?: unknown
}

/** Returns a response that says how its client requested it, which its upstream does not know. */
export const withState = (response: JsonObject, state: RequestedState): JsonObject => ({
  ...response,
  id: state.id,
  store: state.store,
  background: state.background,
  previous_response_id: state.previousId ?? null,
  ...(state.conversationId !== undefined && { conversation: { id: state.conversationId } }),
  ...(state.instructions != null && { instructions: state.instructions }),
})

/** Returns the response of a request that waits in the background. */
export const queuedResponse = (id: string, body: JsonObject, now: Date): JsonObject => ({
  id,
  object: 'response',
  created_at: Math.floor(now.getTime() / 1000),
  status: 'queued',
  error: null,
  incomplete_details: null,
  instructions: body.instructions ?? null,
  max_output_tokens: body.max_output_tokens ?? null,
  metadata: body.metadata ?? {},
  model: body.model,
  output: [],
  parallel_tool_calls: body.parallel_tool_calls ?? true,
  reasoning: body.reasoning ?? { effort: null, summary: null },
  temperature: body.temperature ?? null,
  text: body.text ?? { format: { type: 'text' } },
  tool_choice: body.tool_choice ?? 'auto',
  tools: body.tools ?? [],
  top_p: body.top_p ?? null,
  truncation: body.truncation ?? 'disabled',
  usage: null,
})

/** Returns a response that ended without an answer. */
export const endedResponse = (
  response: JsonObject,
  status: ResponseStatus,
  error: { readonly code: string; readonly message: string } | null = null,
): JsonObject => ({ ...response, status, error })

/** Parses a stored object. */
export function parseObject(text: string): JsonObject {
  const value = parseJson(text)
  return isObject(value) ? value : {}
}

/** Parses a stored list of objects. */
export function parseItems(text: string): readonly JsonObject[] {
  const value = parseJson(text)
  return Array.isArray(value) ? value.filter(isObject) : []
}
