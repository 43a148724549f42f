import { unsupportedParameter } from '@trivium/gateway-core/ports'
import { isObject, type JsonObject, listOr, objectOr, textOr } from '@trivium/provider-kit/answers'
import type { MessagesRequest } from '../messages-api.ts'
import { type Reasoning, reasoning } from './reasoning.ts'
import { tools } from './tools.ts'
import { conversation } from './turns.ts'

export interface MessagesRequestOptions {
  /** The upstream's name for the model. */
  readonly model: string
  /** The limit for a request without one, because the Messages API requires it. */
  readonly defaultMaxTokens: number
  readonly reasoning: Reasoning
  readonly stream: boolean
}

/**
 * Converts a chat completion request to the Messages API. Other fields are passed on unchanged, so that `top_k`,
 * `thinking` or a newer field can be used.
 *
 * @throws ProviderFailure for a parameter that would change the answer and that the Messages API does not have
 */
export function messagesRequest(
  chat: JsonObject,
  { model, defaultMaxTokens, reasoning: style, stream }: MessagesRequestOptions,
): MessagesRequest {
  refuseUnsupported(chat)
  const rest = Object.fromEntries(Object.entries(chat).filter(([name]) => !translated.has(name) && !dropped.has(name)))
  const maxTokens = numberOf(chat.max_completion_tokens) ?? numberOf(chat.max_tokens) ?? defaultMaxTokens
  return {
    ...rest,
    model,
    max_tokens: maxTokens,
    ...conversation(listOr(chat.messages)),
    ...sampling(chat),
    ...tools(chat),
    ...user(chat),
    ...output(chat, style, maxTokens),
    ...serviceTier(chat.service_tier),
    ...(stream ? { stream } : {}),
  }
}

const translated: ReadonlySet<string> = new Set(
  (
    'model messages max_tokens max_completion_tokens temperature top_p stop stream stream_options tools tool_choice ' +
    'parallel_tool_calls user safety_identifier metadata response_format reasoning_effort output_config thinking ' +
    'service_tier timeout n logprobs top_logprobs logit_bias modalities audio functions function_call web_search_options'
  ).split(' '),
)

/** Hints that are dropped, because they do not change the meaning of the answer. */
const dropped: ReadonlySet<string> = new Set(
  (
    'seed presence_penalty frequency_penalty verbosity prediction store prompt_cache_key prompt_cache_options ' +
    'prompt_cache_retention moderation'
  ).split(' '),
)

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

function refuseUnsupported(chat: JsonObject): void {
  const asked: Readonly<Record<string, boolean>> = {
    n: typeof chat.n === 'number' && chat.n !== 1,
    logprobs: chat.logprobs === true,
    logit_bias: Object.keys(objectOr(chat.logit_bias)).length > 0,
    modalities: listOr(chat.modalities).some((modality) => modality !== 'text'),
    audio: isObject(chat.audio),
    functions: listOr(chat.functions).length > 0,
    web_search_options: isObject(chat.web_search_options),
  }
  for (const [name, isAsked] of Object.entries(asked)) {
    if (isAsked) throw unsupportedParameter(name)
  }
}

/** The Messages API accepts temperatures up to 1, and no stop sequences of white space. */
function sampling({
  temperature,
  top_p,
  stop,
}: JsonObject): Pick<MessagesRequest, 'temperature' | 'top_p' | 'stop_sequences'> {
  const sequences = (typeof stop === 'string' ? [stop] : listOr(stop)).map((item) => textOr(item))
  const visible = sequences.filter((sequence) => sequence.trim() !== '')
  return {
    ...(typeof temperature === 'number' ? { temperature: Math.min(temperature, 1) } : {}),
    ...(typeof top_p === 'number' ? { top_p } : {}),
    ...(visible.length > 0 ? { stop_sequences: visible } : {}),
  }
}

function user(chat: JsonObject): Pick<MessagesRequest, 'metadata'> {
  const id = [chat.safety_identifier, chat.user, objectOr(chat.metadata).user_id].find(
    (value) => typeof value === 'string' && value !== '',
  )
  return id === undefined ? {} : { metadata: { user_id: textOr(id) } }
}

function output(
  chat: JsonObject,
  style: Reasoning,
  maxTokens: number,
): Pick<MessagesRequest, 'output_config' | 'thinking'> {
  const { effort, ...thinking } = reasoning(chat, style, maxTokens)
  const config = {
    ...(effort === undefined ? {} : { effort }),
    ...responseFormat(objectOr(chat.response_format)),
    ...objectOr(chat.output_config),
  }
  return { ...(Object.keys(config).length > 0 ? { output_config: config } : {}), ...thinking }
}

function responseFormat({ type, json_schema: schema }: JsonObject): { readonly format?: unknown } {
  if (type === undefined || type === 'text') return {}
  if (type === 'json_schema') return { format: { type, schema: objectOr(schema).schema ?? {} } }
  throw unsupportedParameter('response_format', 'This model only accepts a response_format of type json_schema.')
}

function serviceTier(tier: unknown): Pick<MessagesRequest, 'service_tier'> {
  if (tier === 'auto') return { service_tier: 'auto' }
  return tier === 'default' ? { service_tier: 'standard_only' } : {}
}
