import { absentField } from '../../absent-field.ts'
import type {
  AnswerFormat,
  ConversationRequest,
  ConversationSettings,
  ReasoningSettings,
} from '../../conversation/conversation-request.ts'
import { endUserOf } from '../../conversation/end-user.ts'
import type { JsonObject } from '../../dialect.ts'
import { present } from '../../json-values.ts'
import type { Omissions } from './omissions.ts'
import { ENCRYPTED, LOG_PROBABILITIES } from './read-settings.ts'

/** The least limit of output tokens that OpenAI accepts. */
const LEAST_TOKENS = 16

export function writeSettings(request: ConversationRequest, omitted: Omissions): JsonObject {
  const { settings, dialect, format } = request
  return present({
    max_output_tokens:
      settings.maxOutputTokens === undefined ? undefined : Math.max(LEAST_TOKENS, settings.maxOutputTokens),
    temperature: settings.temperature,
    top_p: settings.topP,
    top_logprobs: settings.logProbabilities,
    reasoning: writeReasoning(settings.reasoning),
    include: writeInclude(settings, dialect === 'messages'),
    text: writeText(format, settings.verbosity),
    user: endUserOf(request, omitted),
    safety_identifier: settings.safetyIdentifier,
    metadata: settings.metadata,
    service_tier: settings.serviceTier,
    prompt_cache_key: settings.promptCacheKey,
    prompt_cache_retention: settings.promptCacheRetention,
  })
}

function writeReasoning(reasoning: ReasoningSettings | undefined): JsonObject | undefined {
  if (!reasoning) return undefined
  const written = present({
    effort: reasoning.effort ?? effortOf(reasoning.budgetTokens),
    summary: reasoning.summary,
  })
  return Object.keys(written).length > 0 ? written : undefined
}

/** The effort that takes about as many tokens. */
function effortOf(budgetTokens: number | undefined): string | undefined {
  if (budgetTokens === undefined) return undefined
  if (budgetTokens < 4096) return 'low'
  return budgetTokens < 16_384 ? 'medium' : 'high'
}

/** @param returnsReasoning whether clients return what the model thought, which needs its encrypted form */
function writeInclude(settings: ConversationSettings, returnsReasoning: boolean): readonly string[] | undefined {
  const { reasoning } = settings
  const thinks = reasoning !== undefined && reasoning.mode !== 'disabled' && reasoning.effort !== 'none'
  const included = [
    ...(reasoning?.encrypted || (returnsReasoning && thinks) ? [ENCRYPTED] : []),
    ...(settings.logProbabilities === undefined ? [] : [LOG_PROBABILITIES]),
  ]
  return included.length > 0 ? included : undefined
}

function writeText(format: AnswerFormat | undefined, verbosity: string | undefined): JsonObject | undefined {
  if (!format && verbosity === undefined) return undefined
  return present({ format: format && writeFormat(format), verbosity })
}

function writeFormat(format: AnswerFormat): JsonObject {
  if (format.type === 'json') return { type: 'json_object' }
  const { name = 'answer', description, schema, strict } = format
  return present({ type: 'json_schema', name, description, schema, strict })
}

/** @throws ProviderFailure for a setting that responses lack, unless its value is the default */
export function refuseSettings({ settings, names }: ConversationRequest): void {
  const lacking = {
    stop: settings.stop?.length,
    choices: settings.choices === 1 ? undefined : settings.choices,
    presencePenalty: settings.presencePenalty,
    frequencyPenalty: settings.frequencyPenalty,
    logitBias: settings.logitBias && Object.keys(settings.logitBias).length,
  }
  const refused = Object.entries(lacking).find(([, value]) => value !== undefined && value !== 0)
  if (refused) throw absentField(names[refused[0]] ?? refused[0], 'responses')
}

/** Lists the hints that responses lack. */
export function listHints({ settings, names, dialect }: ConversationRequest, omitted: Omissions): void {
  const { effort, budgetTokens, mode } = settings.reasoning ?? {}
  if (mode === 'adaptive' && effort === undefined && budgetTokens === undefined) {
    omitted.add(names['reasoning.mode'] ?? names.reasoning ?? 'reasoning')
  }
  if (settings.store === true && dialect === 'chat') omitted.add(names.store ?? 'store')
  if (settings.topK !== undefined) omitted.add(names.topK ?? 'top_k')
  if (settings.seed !== undefined) omitted.add(names.seed ?? 'seed')
}
