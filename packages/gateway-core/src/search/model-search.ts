import type { Result } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import { checkRange } from '../check-range.ts'
import type { SearchQuery } from './search-engine.ts'
import type { TextResult } from './search-result.ts'
import type { EngineFailure } from './search-within.ts'

/** Bounds of the searches that the model of one request makes. */
export interface ModelSearchOptions {
  /** How often the model may search and read the results, from 1 to 20. Then it has to answer. @default 5 */
  readonly maxRounds?: number
  /** The most searches of one request, from 1 to 50. The client's own limit may be lower. @default 8 */
  readonly maxSearches?: number
  /** The most results of a search, from 1 to 20. @default 8 */
  readonly maxResults?: number
  /** The most characters of the results that the model gets of a search, from 100 to 100,000. @default 6000 */
  readonly maxCharacters?: number
}

/** Searches for models, with the first engine that finds pages. */
export interface ModelSearch {
  readonly bounds: Required<ModelSearchOptions>
  /** Searches as a caller. It has a usage record, and is not a request of the rate limit. */
  find(
    call: GatewayCall,
    query: Pick<SearchQuery, 'text' | 'maxResults' | 'region'>,
  ): Promise<Result<readonly TextResult[], EngineFailure>>
}

/** Checks the bounds, and adds the defaults. @throws RangeError for an option that is out of its range */
export function modelSearchBounds(options: ModelSearchOptions): ModelSearch['bounds'] {
  const { maxRounds = 5, maxSearches = 8, maxResults = 8, maxCharacters = 6000 } = options
  checkRange({ 'search.byModels.maxRounds': maxRounds }, 1, 20)
  checkRange({ 'search.byModels.maxSearches': maxSearches }, 1, 50)
  checkRange({ 'search.byModels.maxResults': maxResults }, 1, 20)
  checkRange({ 'search.byModels.maxCharacters': maxCharacters }, 100, 100_000)
  return { maxRounds, maxSearches, maxResults, maxCharacters }
}
