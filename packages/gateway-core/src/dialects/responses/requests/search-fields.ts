import type { JsonObject } from '../../dialect.ts'
import { objectsOf, textOf } from '../../json-values.ts'
import { isSearchType } from './read-tools.ts'

/** What the inner form has of a web search. */
const carried: ReadonlySet<string> = new Set(['type', 'filters', 'user_location', 'search_context_size'])

/** The most fields that are listed as left out. */
const MOST = 16

/**
 * Collects the further fields of web searches, also of those that items of `input` add: hints for OpenAI. Of
 * `external_web_access` only `false` is one, which asks for pages of an index instead of live ones.
 */
export function searchFields({ tools, input }: JsonObject): JsonObject {
  const added = objectsOf(input).flatMap((item) => (item.type === 'additional_tools' ? objectsOf(item.tools) : []))
  const found: Record<string, readonly unknown[]> = {}
  for (const tool of [...objectsOf(tools), ...added]) {
    if (!isSearchType(textOf(tool.type) ?? '')) continue
    for (const [name, value] of Object.entries(tool)) {
      if (Object.keys(found).length >= MOST) return found
      const isSet = value !== null && !(name === 'external_web_access' && value === true)
      if (isSet && !carried.has(name) && /^[a-z_]{1,64}$/.test(name)) found[`tools.${name}`] = [value]
    }
  }
  return found
}
