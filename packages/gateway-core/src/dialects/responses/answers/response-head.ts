import type { JsonObject } from '../../dialect.ts'
import { listOr, objectOf } from '../../json-values.ts'
import { jsonLength } from '../../requests/json-length.ts'
import type { AnswerContext } from '../../translation.ts'

/** The most characters of a field in JSON that an answer repeats: each stream has them three times. */
const MOST_REPEATED = 2 ** 18

/**
 * What an answer repeats of its request, with the values that OpenAI gives where the request has none, or a field is
 * longer than 262,144 characters.
 */
export function repeatedFields(given: JsonObject): JsonObject {
  const requested: JsonObject = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => name !== 'input' && jsonLength(value) <= MOST_REPEATED),
  )
  return {
    access_programs: null,
    background: requested.background ?? false,
    ...conversation(requested.conversation),
    instructions: requested.instructions ?? null,
    max_output_tokens: requested.max_output_tokens ?? null,
    max_tool_calls: requested.max_tool_calls ?? null,
    metadata: requested.metadata ?? {},
    parallel_tool_calls: requested.parallel_tool_calls ?? true,
    previous_response_id: requested.previous_response_id ?? null,
    prompt: requested.prompt ?? null,
    prompt_cache_key: requested.prompt_cache_key ?? null,
    prompt_cache_retention: requested.prompt_cache_retention ?? null,
    reasoning: { effort: null, summary: null, ...objectOf(requested.reasoning) },
    safety_identifier: requested.safety_identifier ?? null,
    service_tier: requested.service_tier ?? 'default',
    store: requested.store ?? true,
    temperature: requested.temperature ?? 1,
    text: { format: { type: 'text' }, ...objectOf(requested.text) },
    tool_choice: requested.tool_choice ?? 'auto',
    tools: toolsOf(requested.tools),
    top_logprobs: requested.top_logprobs ?? 0,
    top_p: requested.top_p ?? 1,
    truncation: requested.truncation ?? 'disabled',
    user: requested.user ?? null,
  }
}

/** Clients require these members of functions, which requests may leave out. */
const toolsOf = (tools: unknown): readonly unknown[] =>
  listOr(tools).map((tool) =>
    objectOf(tool)?.type === 'function' ? { parameters: null, strict: null, ...objectOf(tool) } : tool,
  )

const conversation = (value: unknown): JsonObject =>
  value === undefined || value === null ? {} : { conversation: typeof value === 'string' ? { id: value } : value }

/** Returns the id of the client's answer. The upstream's own could be that of another answer. */
export const responseId = ({ answerId, newId }: AnswerContext): string => answerId ?? `resp_${newId()}`
