import { isObject } from '../../chat/is-object.ts'
import type { ConversationSettings, ReasoningSettings } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import { countIn, listOr, numberIn, objectOr, present, textIn } from '../json-values.ts'

/** Reads the numbers and hints of a chat request. */
export function readSettings(body: JsonObject): ConversationSettings {
  const choices = countIn(body.n)
  const bias = objectOr(body.logit_bias)
  const stop = typeof body.stop === 'string' ? [body.stop] : listOr(body.stop).filter((one) => typeof one === 'string')
  return present({
    maxOutputTokens: numberIn(body.max_completion_tokens) ?? numberIn(body.max_tokens),
    temperature: numberIn(body.temperature),
    topP: numberIn(body.top_p),
    topK: numberIn(body.top_k),
    stop: stop.length > 0 ? stop : undefined,
    presencePenalty: numberIn(body.presence_penalty),
    frequencyPenalty: numberIn(body.frequency_penalty),
    seed: numberIn(body.seed) ?? numberIn(body.random_seed),
    choices: choices === 1 ? undefined : choices,
    logitBias: Object.keys(bias).length > 0 ? valuesOf(bias, numberIn) : undefined,
    logProbabilities: body.logprobs === true ? (countIn(body.top_logprobs) ?? 0) : undefined,
    reasoning: readReasoning(body),
    verbosity: textIn(body.verbosity),
    user: textIn(body.user),
    safetyIdentifier: textIn(body.safety_identifier),
    metadata: isObject(body.metadata)
      ? valuesOf(body.metadata, (value) => (typeof value === 'string' ? value : undefined))
      : undefined,
    serviceTier: textIn(body.service_tier),
    promptCacheKey: textIn(body.prompt_cache_key),
    promptCacheRetention: textIn(body.prompt_cache_retention),
    store: typeof body.store === 'boolean' ? body.store : undefined,
  })
}

/** Reads OpenAI's `reasoning_effort`, OpenRouter's `reasoning`, and Anthropic's `thinking` and `output_config`. */
function readReasoning(body: JsonObject): ReasoningSettings | undefined {
  const reasoning = objectOr(body.reasoning)
  const thinking = objectOr(body.thinking)
  const effort =
    textIn(objectOr(body.output_config).effort) ?? textIn(reasoning.effort) ?? textIn(body.reasoning_effort)
  const budgetTokens = numberIn(thinking.budget_tokens) ?? numberIn(reasoning.max_tokens)
  const isOpen = effort === undefined && budgetTokens === undefined
  const settings = present({
    effort,
    budgetTokens,
    mode: modeOf(thinking.type, isOpen) ?? switchOf(reasoning.enabled, isOpen),
    summary: textIn(reasoning.summary) ?? (thinking.display === 'summarized' ? 'auto' : undefined),
  })
  return Object.keys(settings).length > 0 ? settings : undefined
}

/** Reasoning that is only switched on is as much as the model decides. */
function modeOf(type: unknown, isOpen: boolean): ReasoningSettings['mode'] {
  if (type === 'adaptive' || type === 'disabled') return type
  return type === 'enabled' && isOpen ? 'adaptive' : undefined
}

function switchOf(enabled: unknown, isOpen: boolean): ReasoningSettings['mode'] {
  if (enabled === false) return 'disabled'
  return enabled === true && isOpen ? 'adaptive' : undefined
}

function valuesOf<Value>(
  values: JsonObject,
  read: (value: unknown) => Value | undefined,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const known = read(value)
      return known === undefined ? [] : [[name, known] as const]
    }),
  )
}

/** Returns the client's names of the settings. */
export function namesOf(body: JsonObject): Readonly<Record<string, string>> {
  const effort = isObject(body.output_config) && body.output_config.effort !== undefined
  const reasoning = isObject(body.reasoning)
  const thinking = isObject(body.thinking)
  return {
    toolChoice: 'tool_choice',
    parallelToolCalls: 'parallel_tool_calls',
    format: 'response_format',
    maxOutputTokens: numberIn(body.max_completion_tokens) === undefined ? 'max_tokens' : 'max_completion_tokens',
    topP: 'top_p',
    topK: 'top_k',
    presencePenalty: 'presence_penalty',
    frequencyPenalty: 'frequency_penalty',
    ...(numberIn(body.seed) === undefined && numberIn(body.random_seed) !== undefined ? { seed: 'random_seed' } : {}),
    choices: 'n',
    logitBias: 'logit_bias',
    logProbabilities: 'logprobs',
    reasoning: thinking ? 'thinking' : reasoning ? 'reasoning' : 'reasoning_effort',
    'reasoning.effort': effort ? 'output_config.effort' : reasoning ? 'reasoning.effort' : 'reasoning_effort',
    'reasoning.budgetTokens': thinking ? 'thinking.budget_tokens' : 'reasoning.max_tokens',
    'reasoning.mode': thinking ? 'thinking.type' : 'reasoning.enabled',
    'reasoning.summary': thinking ? 'thinking.display' : 'reasoning.summary',
    safetyIdentifier: 'safety_identifier',
    serviceTier: 'service_tier',
    promptCacheKey: 'prompt_cache_key',
    promptCacheRetention: 'prompt_cache_retention',
  }
}

const readFields: ReadonlySet<string> = new Set(
  (
    'model messages stream stream_options timeout temperature top_p top_k n stop max_tokens max_completion_tokens ' +
    'presence_penalty frequency_penalty logit_bias logprobs top_logprobs seed random_seed response_format tools tool_choice ' +
    'parallel_tool_calls reasoning_effort reasoning thinking output_config verbosity user safety_identifier metadata ' +
    'service_tier prompt_cache_key prompt_cache_retention store web_search_options functions function_call modalities ' +
    'prediction prompt_cache_options'
  ).split(' '),
)

/** Returns what the inner form has no place for, without hints. Values that are the same as an absent field are left out. */
export function extraOf(body: JsonObject): JsonObject {
  const { effort: _effort, ...output } = objectOr(body.output_config)
  const { exclude } = objectOr(body.reasoning)
  const modalities = listOr(body.modalities)
  return {
    ...Object.fromEntries(Object.entries(body).filter(([name, value]) => !readFields.has(name) && value != null)),
    ...(modalities.some((modality) => modality !== 'text') ? { modalities } : {}),
    ...(Object.keys(output).length > 0 ? { output_config: output } : {}),
    ...(exclude === true ? { 'reasoning.exclude': exclude } : {}),
  }
}

/** Returns the fields that other dialects lack and that do not change the meaning of an answer. */
export function hintsOf(body: JsonObject): JsonObject {
  const limit = numberIn(body.max_completion_tokens)
  const isSecondLimit = limit !== undefined && (numberIn(body.max_tokens) ?? limit) !== limit
  return present({
    prediction: body.prediction ?? undefined,
    prompt_cache_options: body.prompt_cache_options ?? undefined,
    max_tokens: isSecondLimit ? body.max_tokens : undefined,
    random_seed: isSecondSeed(body) ? body.random_seed : undefined,
    'thinking.display': objectOr(body.thinking).display === 'omitted' ? 'omitted' : undefined,
  })
}

const isSecondSeed = ({ seed, random_seed: other }: JsonObject): boolean =>
  numberIn(seed) !== undefined && numberIn(other) !== undefined && seed !== other
