import { bareProviderOf, factsOf, type ProviderFacts } from './provider-facts.ts'

/** A model of LiteLLM, split into what serves it and its id there. */
export interface ProviderModel {
  readonly provider: string
  readonly model: string
  readonly facts: ProviderFacts | undefined
}

/** Bedrock's ids may have the interface and the region before the model. */
const BEDROCK_ROUTE = /^(?:converse|invoke|converse_like|[a-z]{2}(?:-[a-z]+)+-\d)\//

/** OpenAI's ids may have the interface before the model. */
const INTERFACE_ROUTE = /^(?:chat|responses|o_series|gpt5_series)\//

const idOf = (provider: string): string =>
  provider === 'azure_text'
    ? 'azure'
    : provider
        .replace(/_chat$/, '')
        .replace(/^text-completion-/, '')
        .replace(/[^\w-]/g, '-')
        .replaceAll('_', '-')
        .toLowerCase()

/** Vertex AI serves Claude by another package of the AI SDK. */
const VERTEX_ANTHROPIC = '@ai-sdk/google-vertex/anthropic'

/**
 * Splits `provider/model`. `undefined`: the provider of the model is not known.
 *
 * @param given `custom_llm_provider`, which has precedence over the prefix
 */
export function providerOfModel(named: string, given?: string): ProviderModel | undefined {
  const slash = named.indexOf('/')
  const prefix = slash < 0 ? undefined : named.slice(0, slash)
  if (given !== undefined) return partsFor(given, prefix === given ? named.slice(slash + 1) : named)
  if (prefix !== undefined && factsOf(prefix)) return partsFor(prefix, named.slice(slash + 1))
  const inferred = bareProviderOf(named)
  if (inferred !== undefined) return partsFor(inferred, named)
  return prefix === undefined ? undefined : partsFor(prefix, named.slice(slash + 1))
}

function partsFor(provider: string, model: string): ProviderModel {
  const facts = factsOf(provider)
  if (provider.startsWith('bedrock')) {
    let id = model
    while (BEDROCK_ROUTE.test(id)) id = id.replace(BEDROCK_ROUTE, '')
    return { provider: 'bedrock', model: id, facts }
  }
  if (provider.startsWith('vertex_ai')) {
    const isClaude = model.startsWith('claude')
    return {
      provider: isClaude ? 'vertex-anthropic' : 'vertex',
      model,
      facts: isClaude ? { kind: 'ai-sdk', package: VERTEX_ANTHROPIC } : facts,
    }
  }
  if (provider === 'azure_ai' && model.startsWith('claude')) {
    return { provider: 'azure-anthropic', model, facts: { kind: 'anthropic', keyVariable: 'AZURE_AI_API_KEY' } }
  }
  if (provider === 'openai' || provider === 'azure')
    return { provider, model: model.replace(INTERFACE_ROUTE, ''), facts }
  return { provider: idOf(provider), model, facts }
}
