import type { EmbeddingModelV2, EmbeddingModelV3, EmbeddingModelV4 } from '@ai-sdk/provider'
import {
  invalidParameter,
  type JsonObject,
  type ProviderContext,
  ProviderFailure,
  unsupportedParameter,
} from '@trivium/gateway-core/ports'
import { countOr } from '@trivium/provider-kit/answers'
import type { ProviderOptions } from '../requests/call-options.ts'

/** An embedding model object of the AI SDK, distinguished by its `specificationVersion`. */
export type AiSdkEmbeddingModel = EmbeddingModelV4 | EmbeddingModelV3 | EmbeddingModelV2<string>

/**
 * Creates embeddings with as many calls in sequence as the model needs for the number of texts, and returns the answer
 * as JSON.
 *
 * @throws ProviderFailure for input that is not text, and for dimensions that the model does not return
 */
export async function embedWith(
  model: AiSdkEmbeddingModel,
  id: string,
  body: JsonObject,
  context: ProviderContext,
  providerOptions: ProviderOptions = {},
): Promise<string> {
  const texts = textsOf(body.input)
  const dimensions = typeof body.dimensions === 'number' ? body.dimensions : undefined
  const most = Math.max(1, (await model.maxEmbeddingsPerCall) ?? texts.length)
  const vectors: (readonly number[])[] = []
  let tokens: number | undefined
  for (let start = 0; start < texts.length; start += most) {
    const values = texts.slice(start, start + most)
    const { embeddings, usage } = await embed(model, { values, dimensions, providerOptions }, context)
    checkVectors(embeddings, values.length, dimensions)
    vectors.push(...embeddings)
    if (usage) tokens = (tokens ?? 0) + countOr(usage.tokens)
  }
  const isBase64 = body.encoding_format === 'base64'
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: isBase64 ? base64Of(vector) : vector,
  }))
  const usage = tokens === undefined ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }
  return JSON.stringify({ object: 'list', model: id, data, ...usage })
}

interface EmbedOptions {
  readonly values: string[]
  readonly dimensions: number | undefined
  readonly providerOptions: ProviderOptions
}

function embed(
  model: AiSdkEmbeddingModel,
  { values, dimensions, providerOptions }: EmbedOptions,
  { signal, headers }: ProviderContext,
) {
  const options = { values, abortSignal: signal, headers: { ...headers }, providerOptions }
  if (model.specificationVersion === 'v2') return model.doEmbed(options)
  if (model.specificationVersion === 'v3') return model.doEmbed(options)
  return model.doEmbed({ ...options, ...(dimensions === undefined ? {} : { dimensions }) })
}

/** Tokens belong to the tokenizer of one model, and the AI SDK takes only texts. */
function textsOf(input: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(input) ? input : [input]
  return values.map((value) => {
    if (typeof value === 'string') return value
    throw unsupportedParameter('input', 'The model reads only texts, not tokens or other values.')
  })
}

function checkVectors(vectors: readonly unknown[], count: number, dimensions: number | undefined): void {
  const areNumbers = vectors.every(
    (vector) => Array.isArray(vector) && vector.every((value) => typeof value === 'number'),
  )
  if (vectors.length !== count || !areNumbers) {
    throw new ProviderFailure({ type: 'malformed', message: 'The upstream answered with other embeddings.' })
  }
  const [first] = vectors
  if (dimensions !== undefined && Array.isArray(first) && first.length !== dimensions) {
    throw invalidParameter('dimensions', `The model returns ${first.length} dimensions.`)
  }
}

/** Returns the numbers as little-endian floats of 32 bits. */
function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [place, value] of vector.entries()) bytes.writeFloatLE(value, place * 4)
  return bytes.toString('base64')
}
