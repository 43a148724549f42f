import { type JsonObject, unsupportedParameter } from '@trivium/gateway-core/ports'
import { countTokens } from '../chat/tokens.ts'
import { DEFAULT_DIMENSIONS, Embedder } from './embed-text.ts'
import { textsIn } from './texts.ts'

const MAX_DIMENSIONS = 1024

/**
 * Answers a request for embeddings, as JSON in pieces, since one text of all vectors would take long to encode.
 *
 * @throws ProviderFailure for tokens and objects as input, and more than 1,024 dimensions
 */
export async function embeddingsOf(model: string, body: JsonObject, signal: AbortSignal): Promise<string> {
  const texts = textsIn('input', Array.isArray(body.input) ? body.input : [body.input])
  const dimensions = typeof body.dimensions === 'number' ? body.dimensions : DEFAULT_DIMENSIONS
  if (dimensions > MAX_DIMENSIONS) {
    throw unsupportedParameter('dimensions', `The model has at most ${MAX_DIMENSIONS} dimensions.`)
  }
  const isBase64 = body.encoding_format === 'base64'
  const embedder = new Embedder(dimensions, signal)
  const data: string[] = []
  let tokens = 0
  for (const [index, text] of texts.entries()) {
    const vector = await embedder.embed(text)
    tokens += countTokens(text)
    const embedding = isBase64 ? base64Of(vector) : [...vector]
    data.push(JSON.stringify({ object: 'embedding', index, embedding }))
  }
  const usage = JSON.stringify({ prompt_tokens: tokens, total_tokens: tokens })
  // Mistral's SDK refuses an answer without an id.
  const id = `embd-${crypto.randomUUID()}`
  return `{"id":"${id}","object":"list","model":${JSON.stringify(model)},"data":[${data.join(',')}],"usage":${usage}}`
}

/** Returns the little-endian bytes of the numbers. */
function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4)
  for (const [place, value] of vector.entries()) bytes.writeFloatLE(value, place * 4)
  return bytes.toString('base64')
}
