import type { InferOutput } from 'valibot'
import type { SearchResults } from '../../search/search-result.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { type GatewayHandlers, type HandlerParts, refuseCall } from '../handler-parts.ts'
import type { searchAnswerSchema } from './search-schema.ts'

export const searchHandler = ({ gateway, now }: HandlerParts): GatewayHandlers<'search'> => ({
  async search(call) {
    const { q: text, engine, max_results: maxResults, type, region, safesearch: safeSearch } = call.query
    const named = engine === undefined ? {} : { engine }
    const found = await gateway.search.search(call, { text, type, maxResults, region, safeSearch, ...named })
    if (found.isErr()) return refuseCall(found.error, call, now())
    const { engine: answered, found: results, cached } = found.value
    return {
      status: 200,
      headers: answerHeaders(call, now(), { 'x-cache': cached ? 'hit' : 'miss' }),
      body: toWire(answered, results),
    }
  },
})

/** Copies only the declared fields, because engines may return more. */
function toWire(engine: string, found: SearchResults): InferOutput<typeof searchAnswerSchema> {
  switch (found.type) {
    case 'text':
      return { engine, type: 'text', results: found.results.map(({ title, href, body }) => ({ title, href, body })) }
    case 'news':
      return {
        engine,
        type: 'news',
        results: found.results.map(({ date, title, body, url, image, source }) => ({
          date,
          title,
          body,
          url,
          image,
          source,
        })),
      }
    case 'images':
      return {
        engine,
        type: 'images',
        results: found.results.map(({ title, image, thumbnail, url, height, width, source }) => ({
          title,
          image,
          thumbnail,
          url,
          height,
          width,
          source,
        })),
      }
    case 'suggestions':
      return { engine, type: 'suggestions', results: found.results.map(({ phrase }) => ({ phrase })) }
  }
}
