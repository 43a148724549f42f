import type { SearchCallPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import { objectOf, objectsOf, present, textOf, textsOf } from '../../json-values.ts'

/** Returns `undefined` for other actions of OpenAI's search, such as `open_page`. */
export function readSearch(item: JsonObject, at?: string): SearchCallPart | undefined {
  const action = objectOf(item.action)
  if (action && action.type !== 'search') return undefined
  const results = objectsOf(action?.sources).flatMap(readSource)
  return present({
    type: 'search-call',
    id: textOf(item.id) ?? '',
    query: textOf(action?.query) ?? textsOf(action?.queries)[0] ?? '',
    failed: item.status === 'failed' ? true : undefined,
    results: results.length > 0 ? results : undefined,
    at,
  })
}

function readSource(source: JsonObject): NonNullable<SearchCallPart['results']> {
  const url = textOf(source.url)
  if (url === undefined) return []
  return [
    present({
      url,
      title: textOf(source.title),
      encryptedContent: textOf(source.encrypted_content),
      pageAge: textOf(source.page_age),
    }),
  ]
}

/** Writes a search. The members of a source beside `url` are not OpenAI's: a messages upstream reads them again. */
export function writeSearch(part: SearchCallPart, status: string): JsonObject {
  const sources = part.results?.map(({ url, title, encryptedContent, pageAge }) =>
    present({ type: 'url', url, title, encrypted_content: encryptedContent, page_age: pageAge }),
  )
  return {
    type: 'web_search_call',
    id: part.id.startsWith('ws_') ? part.id : `ws_${part.id}`,
    status,
    action: present({ type: 'search', query: part.query, queries: [part.query], sources }),
  }
}
