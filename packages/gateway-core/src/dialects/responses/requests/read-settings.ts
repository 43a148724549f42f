import type { AnswerFormat, ConversationSettings, ReasoningSettings } from '../../conversation/conversation-request.ts'
import type { JsonObject } from '../../dialect.ts'
import { booleanOf, numberIn, objectOf, present, textOf, textsOf } from '../../json-values.ts'

export const ENCRYPTED = 'reasoning.encrypted_content'
export const LOG_PROBABILITIES = 'message.output_text.logprobs'

/** Reads what is a number or a hint. */
export function readSettings(body: JsonObject): ConversationSettings {
  const included = textsOf(body.include)
  return present({
    maxOutputTokens: numberIn(body.max_output_tokens),
    temperature: numberIn(body.temperature),
    topP: numberIn(body.top_p),
    // Without the member of `include`, 0 requests nothing.
    logProbabilities: numberIn(body.top_logprobs) || (included.includes(LOG_PROBABILITIES) ? 0 : undefined),
    reasoning: readReasoning(body.reasoning, included.includes(ENCRYPTED)),
    verbosity: textOf(objectOf(body.text)?.verbosity),
    user: textOf(body.user),
    safetyIdentifier: textOf(body.safety_identifier),
    metadata: readMetadata(body.metadata),
    serviceTier: textOf(body.service_tier),
    promptCacheKey: textOf(body.prompt_cache_key),
    promptCacheRetention: textOf(body.prompt_cache_retention),
    store: booleanOf(body.store),
  })
}

function readReasoning(value: unknown, encrypted: boolean): ReasoningSettings | undefined {
  const reasoning = objectOf(value)
  const settings = present({
    effort: textOf(reasoning?.effort),
    summary: textOf(reasoning?.summary) ?? textOf(reasoning?.generate_summary),
    encrypted: encrypted || undefined,
  })
  return Object.keys(settings).length > 0 ? settings : undefined
}

function readMetadata(value: unknown): Record<string, string> | undefined {
  const entries = Object.entries(objectOf(value) ?? {}).flatMap(([name, one]): [string, string][] =>
    typeof one === 'string' ? [[name, one]] : [],
  )
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** Reads `text.format`. */
export function readFormat(text: unknown): AnswerFormat | undefined {
  const format = objectOf(objectOf(text)?.format)
  if (format?.type === 'json_object') return { type: 'json' }
  if (format?.type !== 'json_schema') return undefined
  return present({
    type: 'schema',
    name: textOf(format.name),
    description: textOf(format.description),
    schema: objectOf(format.schema) ?? {},
    strict: booleanOf(format.strict),
  })
}

/** Returns the type of a format that the inner form does not have. */
export function unknownFormat(text: unknown): JsonObject {
  const type = objectOf(objectOf(text)?.format)?.type
  return type === undefined || type === null || formats.has(type) ? {} : { 'text.format.type': type }
}

const formats: ReadonlySet<unknown> = new Set(['text', 'json_object', 'json_schema'])
