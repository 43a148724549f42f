import type { JsonObject } from '../dialects/dialect.ts'

/** Members of a response that repeat its request. */
const repeated: ReadonlySet<string> = new Set([
  'background',
  'conversation',
  'frequency_penalty',
  'include',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'metadata',
  'parallel_tool_calls',
  'presence_penalty',
  'previous_response_id',
  'prompt',
  'prompt_cache_key',
  'prompt_cache_retention',
  'reasoning',
  'safety_identifier',
  'service_tier',
  'store',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
])

/** Returns the members of a response that its request does not have. */
export const ownMembers = (response: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(response).filter(([name]) => !repeated.has(name)))

/** Returns the members of a response that repeat its request. */
export const repeatedMembers = (response: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(response).filter(([name]) => repeated.has(name)))
