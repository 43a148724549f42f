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
  const field = (name: string): unknown => (jsonLength(given[name]) <= MOST_REPEATED ? given[name] : undefined)
  return {
    access_programs: null,
    background: field('background') ?? false,
    ...conversation(field('conversation')),
    instructions: field('instructions') ?? null,
    max_output_tokens: field('max_output_tokens') ?? null,
    max_tool_calls: field('max_tool_calls') ?? null,
    metadata: field('metadata') ?? {},
    parallel_tool_calls: field('parallel_tool_calls') ?? true,
    previous_response_id: field('previous_response_id') ?? null,
    prompt: field('prompt') ?? null,
    prompt_cache_key: field('prompt_cache_key') ?? null,
    prompt_cache_retention: field('prompt_cache_retention') ?? null,
    reasoning: { effort: null, summary: null, ...objectOf(field('reasoning')) },
    safety_identifier: field('safety_identifier') ?? null,
    service_tier: field('service_tier') ?? 'default',
    store: field('store') ?? true,
    temperature: field('temperature') ?? 1,
    text: { format: { type: 'text' }, ...objectOf(field('text')) },
    tool_choice: field('tool_choice') ?? 'auto',
    tools: toolsOf(field('tools')),
    top_logprobs: field('top_logprobs') ?? 0,
    top_p: field('top_p') ?? 1,
    truncation: field('truncation') ?? 'disabled',
    user: field('user') ?? null,
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
