import type { GatewayCall } from '../../caller.ts'
import { isObject } from '../../chat/is-object.ts'
import { parseJson } from '../../chat/parse-json.ts'
import type { ModelSearch } from '../../search/model-search.ts'
import type { SearchCallPart, ToolCallPart } from '../conversation/conversation-parts.ts'
import type { WebSearchTool } from '../conversation/conversation-request.ts'
import { textOr } from '../json-values.ts'
import { admittedPages, pagesText } from './found-pages.ts'
import { searchRegion } from './search-region.ts'

/** A search that has ended. */
export interface EndedSearch {
  readonly call: ToolCallPart
  /** What the client sees of it. */
  readonly part: SearchCallPart
  /** What the model gets. */
  readonly text: string
}

/** A search that runs. */
export interface RunningSearch {
  /** What the client sees of it now. */
  readonly part: SearchCallPart
  /** Never rejects. */
  readonly ended: Promise<EndedSearch>
}

export interface ModelSearchesParts {
  readonly modelSearch: ModelSearch
  /** Its signal ends with the call of the upstream. */
  readonly call: GatewayCall
  readonly tool: WebSearchTool
  readonly newId: () => string
}

/** Searches of one answer that run at the same time. */
const MOST_AT_ONCE = 4
const LONGEST_QUERY = 2000
/** Results of engines that know no domains, from which those of the client's domains are selected. */
const RESULTS_TO_FILTER = 30

/** Starts the searches that a model has called. */
export function startSearches(calls: readonly ToolCallPart[], parts: ModelSearchesParts): readonly RunningSearch[] {
  const running: RunningSearch[] = []
  for (const call of calls) {
    const part: SearchCallPart = { type: 'search-call', id: `ws_${parts.newId()}`, query: queryOf(call) }
    const before = running[running.length - MOST_AT_ONCE]
    const ended = before ? before.ended.then(() => search(call, part, parts)) : search(call, part, parts)
    running.push({ part, ended })
  }
  return running
}

function queryOf({ input }: ToolCallPart): string {
  const value = parseJson(input)
  return isObject(value) ? textOr(value.query).trim().slice(0, LONGEST_QUERY) : ''
}

async function search(
  call: ToolCallPart,
  part: SearchCallPart,
  { modelSearch, call: caller, tool }: ModelSearchesParts,
): Promise<EndedSearch> {
  const failed = (text: string): EndedSearch => ({ call, part: { ...part, failed: true }, text })
  if (part.query === '') return failed('The search has failed: the argument query must be a text that is not empty.')
  const { maxResults, maxCharacters } = modelSearch.bounds
  const isFiltered = tool.allowedDomains !== undefined || tool.blockedDomains !== undefined
  const query = {
    text: part.query,
    maxResults: isFiltered ? RESULTS_TO_FILTER : maxResults,
    region: searchRegion(tool.userLocation),
  }
  const found = await modelSearch.find(caller, query)
  if (found.isErr()) return failed('The search has failed. Answer without it, or search again later.')
  const pages = admittedPages(found.value, tool, maxResults)
  const results = pages.map(({ url, title }) => ({ url, title }))
  return { call, part: { ...part, results }, text: pagesText(pages, maxCharacters) }
}
