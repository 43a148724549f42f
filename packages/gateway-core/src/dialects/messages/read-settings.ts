import type { AnswerFormat, ConversationSettings, ReasoningSettings } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import { numberIn, objectOr, textIn } from '../json-values.ts'
import { given, textsIn } from './fields.ts'

export function readSettings(body: JsonObject): ConversationSettings {
  return {
    ...given('maxOutputTokens', numberIn(body.max_tokens)),
    ...given('temperature', numberIn(body.temperature)),
    ...given('topP', numberIn(body.top_p)),
    ...given('topK', numberIn(body.top_k)),
    ...given('stop', textsIn(body.stop_sequences)),
    ...given('user', textIn(objectOr(body.metadata).user_id)),
    ...given('serviceTier', tierFrom(body.service_tier)),
    ...given('reasoning', reasoningFrom(body)),
  }
}

const tierFrom = (tier: unknown): string | undefined =>
  tier === 'standard_only' ? 'default' : tier === 'auto' ? 'auto' : undefined

/**
 * Reads `thinking` and the effort. A client of messages sends the reasoning back, so that the upstream has to return it
 * encrypted; it sees the reasoning unless `display` is `omitted`.
 */
function reasoningFrom(body: JsonObject): ReasoningSettings | undefined {
  const thinking = objectOr(body.thinking)
  const effort = given('effort', textIn(objectOr(body.output_config).effort))
  switch (thinking.type) {
    case 'disabled':
      return { ...effort, mode: 'disabled' }
    case 'adaptive':
      return { ...effort, mode: 'adaptive', ...shown(thinking) }
    case 'enabled':
      return { ...effort, ...given('budgetTokens', numberIn(thinking.budget_tokens)), ...shown(thinking) }
    default:
      return effort.effort === undefined ? undefined : effort
  }
}

const shown = ({ display }: JsonObject): ReasoningSettings => ({
  ...(display === 'omitted' ? {} : { summary: 'auto' }),
  encrypted: true,
})

/** Reads `output_config.format`, and `output_format` of the beta before it. */
export function readFormat(body: JsonObject): AnswerFormat | undefined {
  const format = objectOr(objectOr(body.output_config).format ?? body.output_format)
  return format.type === 'json_schema' ? { type: 'schema', schema: objectOr(format.schema) } : undefined
}

/** Returns the type of a format that the inner form does not have. */
export function unknownFormat(body: JsonObject): JsonObject {
  const { type } = objectOr(objectOr(body.output_config).format ?? body.output_format)
  return type === undefined || type === null || type === 'json_schema' ? {} : { 'format.type': type }
}
