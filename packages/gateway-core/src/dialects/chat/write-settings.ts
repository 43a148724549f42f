import type { AnswerFormat, ReasoningSettings } from '../conversation/conversation-request.ts'
import { endUserOf } from '../conversation/end-user.ts'
import type { JsonObject } from '../dialect.ts'
import { present } from '../json-values.ts'
import { clientName } from './omissions.ts'
import type { RequestScope } from './request-scope.ts'

/** Writes the numbers and hints. OpenAI accepts metadata only where it stores the answer. */
export function writeSettings(scope: RequestScope): JsonObject {
  const { request, omitted } = scope
  const { settings, names } = request
  const isChat = request.dialect === 'chat'
  // Most upstreams do not have it. Clients of chat completions chose it for theirs.
  if (settings.topK !== undefined && !isChat) omitted.add(clientName(request, 'topK'))
  const keepsMetadata = isChat || settings.store === true
  if (settings.metadata !== undefined && !keepsMetadata) omitted.add(clientName(request, 'metadata'))
  const limit = isChat && names.maxOutputTokens === 'max_tokens' ? 'max_tokens' : 'max_completion_tokens'
  return {
    ...present({
      [limit]: settings.maxOutputTokens,
      temperature: settings.temperature,
      top_p: settings.topP,
      top_k: isChat ? settings.topK : undefined,
      stop: settings.stop,
      presence_penalty: settings.presencePenalty,
      frequency_penalty: settings.frequencyPenalty,
      seed: settings.seed,
      n: settings.choices,
      logit_bias: settings.logitBias,
      verbosity: settings.verbosity,
      user: endUserOf(request, omitted),
      safety_identifier: settings.safetyIdentifier,
      metadata: keepsMetadata ? settings.metadata : undefined,
      service_tier: settings.serviceTier,
      prompt_cache_key: settings.promptCacheKey,
      prompt_cache_retention: settings.promptCacheRetention,
      // Not to store is the default of chat completions, which some upstreams refuse to read.
      store: isChat || settings.store === true ? settings.store : undefined,
    }),
    ...logProbabilities(settings.logProbabilities),
    ...(settings.reasoning === undefined ? {} : writeReasoning(settings.reasoning, scope)),
  }
}

function logProbabilities(most: number | undefined): JsonObject {
  if (most === undefined) return {}
  return { logprobs: true, ...(most > 0 ? { top_logprobs: most } : {}) }
}

/** The least tokens of a budget for each effort that all reasoning models have. */
const efforts = [
  [12_000, 'high'],
  [4096, 'medium'],
  [0, 'low'],
] as const

/** Chat completions reason by effort only, so a budget becomes the effort that spends about as much. */
function writeReasoning(reasoning: ReasoningSettings, { request, omitted }: RequestScope): JsonObject {
  const { effort, budgetTokens, mode, summary, encrypted } = reasoning
  // Clients of messages do not request these by name.
  if (request.dialect !== 'messages') {
    if (summary !== undefined) omitted.add(clientName(request, 'reasoning.summary'))
    if (encrypted === true) omitted.add(clientName(request, 'reasoning.encrypted'))
  }
  if (request.dialect === 'chat') return chatReasoning(reasoning)
  const isOpen = effort === undefined && budgetTokens === undefined
  if (mode === 'disabled' && effort === undefined) omitted.add(clientName(request, 'reasoning.mode'))
  if (mode === 'adaptive' && isOpen) omitted.add(clientName(request, 'reasoning.mode'))
  // Clients of messages see reasoning unless they decline it.
  if (request.dialect === 'messages' && encrypted && summary === undefined) omitted.add('thinking.display')
  if (effort !== undefined) return { reasoning_effort: effort === 'max' ? 'xhigh' : effort }
  if (budgetTokens === undefined) return {}
  return { reasoning_effort: efforts.find(([least]) => budgetTokens >= least)?.[1] ?? 'low' }
}

/** The fields in which clients of chat completions send a budget and a mode to upstreams that have them. */
const chatReasoning = ({ effort, budgetTokens, mode }: ReasoningSettings): JsonObject => ({
  ...present({ reasoning_effort: effort }),
  ...(budgetTokens === undefined ? {} : { thinking: { type: 'enabled', budget_tokens: budgetTokens } }),
  ...(mode === undefined ? {} : { thinking: { type: mode } }),
})

/** A schema needs a name in chat completions. */
const FORMAT_NAME = 'answer'

export function writeFormat(format: AnswerFormat | undefined): JsonObject {
  if (format === undefined) return {}
  if (format.type === 'json') return { response_format: { type: 'json_object' } }
  const { name = FORMAT_NAME, description, schema, strict } = format
  return {
    response_format: { type: 'json_schema', json_schema: { name, schema, ...present({ description, strict }) } },
  }
}
