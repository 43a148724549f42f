import { isObject } from '../../chat/is-object.ts'
import type { SearchCallPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr, textIn, textOr } from '../json-values.ts'
import { encodedCallId } from './call-ids.ts'
import { given } from './fields.ts'

export const isSearchUse = (block: JsonObject): boolean =>
  block.type === 'server_tool_use' && block.name === 'web_search'

/** Reads a `server_tool_use` of the web search. */
export const searchFrom = (block: JsonObject): SearchCallPart => ({
  type: 'search-call',
  id: textOr(block.id),
  query: textOr(objectOr(block.input).query),
})

/** Adds the content of a `web_search_tool_result` to its search. */
export function searchWith(search: SearchCallPart, content: unknown): SearchCallPart {
  if (isObject(content)) return { ...search, failed: true }
  const results = listOr(content)
    .map(objectOr)
    .filter(({ url }) => typeof url === 'string')
  return {
    ...search,
    results: results.map(({ url, title, encrypted_content, page_age }) => ({
      url: textOr(url),
      ...given('title', textIn(title)),
      ...given('encryptedContent', textIn(encrypted_content)),
      ...given('pageAge', textIn(page_age)),
    })),
  }
}

/** Returns the id of a search in the form of Anthropic. */
export const searchId = (id: string): string => (id.startsWith('srvtoolu_') ? id : `srvtoolu_${encodedCallId(id)}`)

/** Writes the block with the results of a search. `undefined` where they are not known. */
export function searchResultOf({ id, results, failed }: SearchCallPart): JsonObject | undefined {
  if (!results && !failed) return undefined
  const content = failed
    ? { type: 'web_search_tool_result_error', error_code: 'unavailable' }
    : (results ?? []).map(({ url, title, encryptedContent, pageAge }) => ({
        type: 'web_search_result',
        url,
        title: title ?? '',
        encrypted_content: encryptedContent ?? '',
        page_age: pageAge ?? null,
      }))
  return { type: 'web_search_tool_result', tool_use_id: searchId(id), content }
}

/** Returns whether Anthropic can read the results again. */
export const isReadable = ({ results, failed }: SearchCallPart): boolean =>
  failed === true || (results?.every(({ encryptedContent }) => encryptedContent !== undefined) ?? false)
