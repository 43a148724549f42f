import type { InferOutput } from 'valibot'
import type { ModelModalities, ModelPricing } from '../../models/model-facts.ts'
import type { Model } from '../../models/models.ts'
import type { modelAnswerSchema, modelListAnswerSchema, modelSchema } from './model-schema.ts'

/** Returns a model in the form of OpenAI's interface. Facts that are not known are absent. */
export function toWire({ id, created, ownedBy, facts = {}, dialects }: Model): InferOutput<typeof modelSchema> {
  const { contextLength, maxOutputTokens, modalities, pricing } = facts
  return {
    id,
    object: 'model',
    created,
    owned_by: ownedBy,
    ...(contextLength === undefined ? {} : { context_length: contextLength }),
    ...(maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens }),
    ...(modalities ? { modalities: modalitiesToWire(modalities) } : {}),
    ...(pricing ? { pricing: pricingToWire(pricing) } : {}),
    ...(dialects ? { dialects: [...dialects] } : {}),
  }
}

const modalitiesToWire = ({ input, output }: ModelModalities) => ({
  ...(input ? { input: [...input] } : {}),
  ...(output ? { output: [...output] } : {}),
})

const pricingToWire = ({ input, output, cacheRead, cacheWrite }: ModelPricing) => ({
  ...(input === undefined ? {} : { input }),
  ...(output === undefined ? {} : { output }),
  ...(cacheRead === undefined ? {} : { cache_read: cacheRead }),
  ...(cacheWrite === undefined ? {} : { cache_write: cacheWrite }),
})

/** Returns a model in the form of Anthropic's interface, with each member that its clients require. */
export function toAnthropicWire({
  id,
  displayName = id,
  created,
  facts = {},
}: Model): Extract<InferOutput<typeof modelAnswerSchema>, { readonly type: 'model' }> {
  const { contextLength, maxOutputTokens } = facts
  return {
    type: 'model',
    id,
    display_name: displayName,
    created_at: new Date(created * 1000).toISOString(),
    max_input_tokens: contextLength ?? null,
    max_tokens: maxOutputTokens ?? null,
    lifecycle: 'active',
    capabilities: null,
    line: null,
    deprecated_at: null,
    retires_at: null,
  }
}

/** Returns all models, on one page. */
export const toAnthropicList = (
  models: readonly Model[],
): Extract<InferOutput<typeof modelListAnswerSchema>, { readonly has_more: false }> => ({
  data: models.map(toAnthropicWire),
  has_more: false,
  first_id: models[0]?.id ?? null,
  last_id: models.at(-1)?.id ?? null,
})
