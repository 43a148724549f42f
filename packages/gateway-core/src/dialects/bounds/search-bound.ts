import { isObject } from '../../chat/is-object.ts'
import type { ModelSearch } from '../../search/model-search.ts'
import type { JsonObject } from '../dialect.ts'

/** What searches of the gateway for the model of one request can add at most. */
export interface SearchBound {
  /** The calls of upstreams, one after the other. */
  readonly rounds: number
  /** The tokens of all found pages. */
  readonly foundTokens: number
}

/** A character has at most 3 bytes, and each byte at most a token. */
const TOKENS_PER_CHARACTER = 3

/** Returns the bound of a request whose model may search. */
export const searchBoundOf = ({ maxRounds, maxSearches, maxCharacters }: ModelSearch['bounds']): SearchBound => ({
  rounds: maxRounds + 1,
  foundTokens: maxSearches * maxCharacters * TOKENS_PER_CHARACTER,
})

/** Returns whether a request of any dialect offers a web search. */
export function offersSearch({ tools, web_search_options: options }: JsonObject): boolean {
  const list: readonly unknown[] = Array.isArray(tools) ? tools : []
  return (
    isObject(options) ||
    list.some((tool) => isObject(tool) && typeof tool.type === 'string' && tool.type.startsWith('web_search'))
  )
}
