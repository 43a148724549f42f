import { isObject, type JsonObject } from '@trivium/gateway-core/ports'
import { countTokens } from '../chat/tokens.ts'
import { DEFAULT_DIMENSIONS, Embedder, similarity } from './embed-text.ts'
import { textsIn } from './texts.ts'

/**
 * Answers a request for reranking: documents by the similarity of their words to those of the query, from 0 to 1.
 * Documents with the same similarity keep their order.
 *
 * @throws ProviderFailure for a query and documents without a text
 */
export async function rankingOf(model: string, body: JsonObject, signal: AbortSignal): Promise<string> {
  const [query = ''] = textsIn('query', [textOf(body.query)])
  const documents = textsIn('documents', (Array.isArray(body.documents) ? body.documents : []).map(textOf))
  const embedder = new Embedder(DEFAULT_DIMENSIONS, signal)
  const target = await embedder.embed(query)
  let tokens = countTokens(query)
  const scores: { readonly index: number; readonly score: number }[] = []
  for (const [index, document] of documents.entries()) {
    scores.push({ index, score: Math.min(1, Math.max(0, similarity(target, await embedder.embed(document)))) })
    tokens += countTokens(document)
  }
  const most = typeof body.top_n === 'number' ? body.top_n : scores.length
  const best = scores.sort((one, other) => other.score - one.score || one.index - other.index).slice(0, most)
  return JSON.stringify({
    model,
    results: best.map(({ index, score }) => ({
      index,
      relevance_score: score,
      ...(body.return_documents === true ? { document: { text: documents[index] } } : {}),
    })),
    usage: { total_tokens: tokens },
  })
}

const textOf = (value: unknown): unknown => (isObject(value) ? value.text : value)
