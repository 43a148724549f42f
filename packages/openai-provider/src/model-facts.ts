import type { ModelFacts, ModelPricing } from '@trivium/gateway-core/ports'
import { type JsonObject, listOr, objectOr } from '@trivium/provider-kit/answers'

/** The most tokens and the highest price that are believed. */
const MAX_TOKENS = 1_000_000_000
const MAX_PRICE = 1_000_000

/** The most modalities of each direction, and characters of each. */
const MAX_MODALITIES = 16
const MAX_LENGTH = 64

const MILLION = 1_000_000

/**
 * Reads what servers add to OpenAI's list of models: OpenRouter, vLLM, LiteLLM, Mistral, Groq, Together and llama.cpp.
 * Facts that are absent or implausible are left out. `undefined` without any.
 */
export function factsOf(record: JsonObject): ModelFacts | undefined {
  const provider = objectOr(record.top_provider)
  const info = objectOr(record.model_info)
  const contextLength = firstCount(
    record.context_length,
    record.max_model_len,
    record.max_context_length,
    record.context_window,
    record.max_input_tokens,
    info.max_input_tokens,
    objectOr(record.meta).n_ctx_train,
  )
  const maxOutputTokens = firstCount(
    provider.max_completion_tokens,
    record.max_completion_tokens,
    record.max_output_tokens,
    info.max_output_tokens,
  )
  const modalities = modalitiesOf(record)
  const pricing = pricingOf(record, info)
  const facts: ModelFacts = {
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(modalities ? { modalities } : {}),
    ...(pricing ? { pricing } : {}),
  }
  return Object.keys(facts).length > 0 ? facts : undefined
}

const firstCount = (...values: readonly unknown[]): number | undefined =>
  values.find(
    (value): value is number =>
      typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= MAX_TOKENS,
  )

function modalitiesOf(record: JsonObject): ModelFacts['modalities'] {
  const { input_modalities: input, output_modalities: output } = { ...record, ...objectOr(record.architecture) }
  const inputs = namesIn(input)
  const outputs = namesIn(output)
  // Mistral reports only whether a model sees images.
  const { vision, completion_chat: chats } = objectOr(record.capabilities)
  const seen = inputs.length === 0 && typeof vision === 'boolean' && chats === true
  const known = seen ? ['text', ...(vision ? ['image'] : [])] : inputs
  if (known.length === 0 && outputs.length === 0) return undefined
  return { ...(known.length > 0 ? { input: known } : {}), ...(outputs.length > 0 ? { output: outputs } : {}) }
}

const namesIn = (list: unknown): readonly string[] =>
  listOr(list)
    .slice(0, MAX_MODALITIES)
    .filter((name): name is string => typeof name === 'string' && name !== '' && name.length <= MAX_LENGTH)

/** Prices for one token as texts (OpenRouter), for a million tokens (Together), or for one token (LiteLLM). */
function pricingOf(record: JsonObject, info: JsonObject): ModelPricing | undefined {
  const { prompt, completion, input_cache_read, input_cache_write, input, output } = objectOr(record.pricing)
  const costs = { ...info, ...record }
  const inputPrice = perToken(prompt) ?? price(input) ?? perToken(costs.input_cost_per_token)
  const outputPrice = perToken(completion) ?? price(output) ?? perToken(costs.output_cost_per_token)
  const cacheRead = perToken(input_cache_read) ?? perToken(costs.cache_read_input_token_cost)
  const cacheWrite = perToken(input_cache_write) ?? perToken(costs.cache_creation_input_token_cost)
  const pricing: ModelPricing = {
    ...(inputPrice === undefined ? {} : { input: inputPrice }),
    ...(outputPrice === undefined ? {} : { output: outputPrice }),
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  }
  return Object.keys(pricing).length > 0 ? pricing : undefined
}

function perToken(value: unknown): number | undefined {
  const single = typeof value === 'string' && /^[\d.eE+-]{1,32}$/.test(value) ? Number(value) : value
  // Twelve digits remove the error of the multiplication.
  return typeof single === 'number' ? price(Number((single * MILLION).toPrecision(12))) : undefined
}

const price = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= MAX_PRICE ? value : undefined
