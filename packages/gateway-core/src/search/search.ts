import { LRUCache } from 'lru-cache'
import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import { checkRange, MAX_SECONDS, MAX_TIMER_SECONDS } from '../check-range.ts'
import type { GuardrailError } from '../guardrails/guardrail-error.ts'
import type { Circuit, CircuitOptions } from '../providers/circuit.ts'
import { createCircuit } from '../providers/circuit.ts'
import { CLIENT_DISCONNECTED } from '../providers/error-status.ts'
import type { LimitError, RequestLimits } from '../rate-limits/request-limits.ts'
import type { FailedAttemptResult, RequestAccount, RequestAccounts } from '../usage/request-accounts.ts'
import { type ModelSearch, type ModelSearchOptions, modelSearchBounds } from './model-search.ts'
import type { SearchEngine, SearchQuery } from './search-engine.ts'
import { SearchFailure } from './search-error.ts'
import type { SearchResults } from './search-result.ts'
import { type EngineFailure, searchWithin } from './search-within.ts'

/** Why a search failed. */
export type SearchServiceError =
  | LimitError
  | GuardrailError
  | { readonly type: 'search-engine-unknown'; readonly engine: string; readonly engines: readonly string[] }
  | { readonly type: 'search-type-unsupported'; readonly engine: string; readonly searchType: SearchQuery['type'] }
  | { readonly type: 'search-failed'; readonly engine: string; readonly error: EngineFailure }

/** A search of a client. */
export interface SearchRequest extends SearchQuery {
  /** @default the first of the gateway's engines */
  readonly engine?: string
}

/** The results of a search, and whether they come from the cache. */
export interface FoundResults {
  readonly engine: string
  readonly found: SearchResults
  readonly cached: boolean
}

/** Searches with the configured engines. */
export interface Search {
  /** The configured engines in their order, with the state of their circuits. */
  readonly engines: readonly SearchEngineState[]
  /** Searches, or returns cached results. Both count as a request. Neither retries nor tries another engine. */
  search(call: GatewayCall, request: SearchRequest): ResultAsync<FoundResults, SearchServiceError>
}

/** A configured engine. */
export interface SearchEngineState {
  readonly id: string
  readonly circuit: Circuit['state']
}

/** Timeouts and the cache of searches in this process. */
export interface SearchOptions {
  /** How long results are reused, from 0, which disables the cache, to 1,000,000,000. @default 300 */
  readonly cacheSeconds?: number
  /**
   * The most searches whose results are cached, from 1 to 1,000,000. `cacheSeconds: 0` disables the cache.
   *
   * @default 1000
   */
  readonly cacheEntries?: number
  /** How long an engine may take to answer, from 0.001 to 2,147,483. @default 10 */
  readonly timeoutSeconds?: number
  /** Each engine has its own circuit. Rate limits of an engine and disconnected clients do not count as failures. */
  readonly circuit?: CircuitOptions
  /**
   * Bounds of the searches of models, where a request offers `web_search` and its upstream does not have it. `false`: the
   * tool is left out there.
   */
  readonly byModels?: ModelSearchOptions | false
}

/** The searches of callers and of models. They have one cache. */
export interface SearchServices {
  readonly search: Search
  /** `undefined` where models cannot search. */
  readonly modelSearch: ModelSearch | undefined
}

export interface SearchParts {
  readonly engines: readonly SearchEngine[]
  readonly limits: RequestLimits
  readonly accounts: RequestAccounts
  readonly onCircuit: (engine: string, state: 'opened' | 'closed') => void
  readonly onFault: (error: unknown) => void
}

interface EngineEntry {
  readonly engine: SearchEngine
  readonly circuit: Circuit
}

/** The cache reserves space for that many searches. */
const MAX_ENTRIES = 1_000_000

export function createSearch(
  options: SearchOptions,
  { engines, limits, accounts, onCircuit, onFault }: SearchParts,
): SearchServices {
  const {
    cacheSeconds = 300,
    cacheEntries = 1000,
    timeoutSeconds = 10,
    byModels = {},
    circuit: circuitOptions = {},
  } = options
  checkRange({ 'search.cacheSeconds': cacheSeconds }, 0, MAX_SECONDS)
  checkRange({ 'search.cacheEntries': cacheEntries }, 1, MAX_ENTRIES)
  checkRange({ 'search.timeoutSeconds': timeoutSeconds }, 0.001, MAX_TIMER_SECONDS)
  const entries = new Map<string, EngineEntry>()
  for (const engine of engines) {
    const { id } = engine
    if (entries.has(id)) throw new TypeError(`The search engine id '${id}' occurs twice`)
    const watch = { isFailure, onOpened: () => onCircuit(id, 'opened'), onClosed: () => onCircuit(id, 'closed') }
    entries.set(id, { engine, circuit: createCircuit(circuitOptions, watch) })
  }
  const cache = new LRUCache<string, SearchResults>({
    max: cacheEntries,
    ttl: Math.max(1, cacheSeconds * 1000),
    perf: { now: () => performance.now() },
    ttlResolution: 0,
  })

  const callEngine = async (
    entry: EngineEntry,
    query: SearchQuery,
    { signal, account }: { readonly signal: AbortSignal; readonly account: RequestAccount },
  ): Promise<Result<SearchResults, EngineFailure>> => {
    const { nextCallAt } = entry.circuit
    if (nextCallAt) {
      const error = circuitOpen(nextCallAt)
      account.passedOver(entry.engine, undefined, 'first', 'circuit-open', resultOf(error))
      return err(error)
    }
    account.attempt(entry.engine, undefined, 'first')
    try {
      return ok(await entry.circuit.run(() => searchWithin(entry.engine, query, signal, timeoutSeconds)))
    } catch (thrown) {
      if (signal.aborted) return err({ type: 'cancelled', message: 'The client has disconnected.' })
      if (SearchFailure.is(thrown)) return err(thrown.error)
      onFault(thrown)
      return err({ type: 'unavailable', message: 'The search engine failed.' })
    }
  }

  const searchWith = async (
    call: GatewayCall,
    entry: EngineEntry,
    query: SearchQuery,
  ): Promise<Result<FoundResults, EngineFailure>> => {
    const { id } = entry.engine
    const account = accounts.open(call, { operation: 'search', model: id, streamed: false })
    account.provider = id
    const name = JSON.stringify([id, query.type, query.text, query.maxResults, query.region, query.safeSearch])
    const cachedResults = cacheSeconds > 0 ? cache.get(name) : undefined
    const answer = cachedResults ? ok(cachedResults) : await callEngine(entry, query, { signal: call.signal, account })
    if (answer.isErr()) {
      const { error } = answer
      account.close(resultOf(error))
      return err(error)
    }
    if (!cachedResults) cache.set(name, answer.value)
    account.close({ status: 200 })
    return ok({ engine: id, found: answer.value, cached: cachedResults !== undefined })
  }

  const search = async (
    call: GatewayCall,
    request: SearchRequest,
  ): Promise<Result<FoundResults, SearchServiceError>> => {
    const { engine: named, ...query } = request
    const entry = entries.get(named ?? engines[0]?.id ?? '')
    if (!entry) return err({ type: 'search-engine-unknown', engine: named ?? '', engines: [...entries.keys()] })
    const { id, types } = entry.engine
    if (!types.has(query.type)) return err({ type: 'search-type-unsupported', engine: id, searchType: query.type })
    if (!call.isAdmitted) {
      const admitted = await limits.admit(call)
      if (admitted.isErr()) {
        accounts.refused?.(call, { operation: 'search', model: id }, admitted.error)
        return err(admitted.error)
      }
    }
    const found = await searchWith(call, entry, query)
    return found.mapErr((error) => ({ type: 'search-failed', engine: id, error }))
  }

  return {
    search: {
      get engines() {
        return [...entries.values()].map(({ engine, circuit }) => ({ id: engine.id, circuit: circuit.state }))
      },
      search: (call, request) => new ResultAsync(search(call, request)),
    },
    modelSearch: modelSearchOf(byModels, [...entries.values()], searchWith),
  }
}

function modelSearchOf(
  options: ModelSearchOptions | false,
  entries: readonly EngineEntry[],
  searchWith: (
    call: GatewayCall,
    entry: EngineEntry,
    query: SearchQuery,
  ) => Promise<Result<FoundResults, EngineFailure>>,
): ModelSearch | undefined {
  if (options === false) return undefined
  const bounds = modelSearchBounds(options)
  const entry = entries.find(({ engine }) => engine.types.has('text'))
  if (!entry) return undefined
  return {
    bounds,
    find: async (call, query) => {
      const answer = await searchWith(call, entry, { ...query, type: 'text', safeSearch: 'moderate' })
      return answer.map(({ found }) => (found.type === 'text' ? found.results : []))
    },
  }
}

const resultOf = (error: EngineFailure): FailedAttemptResult => ({
  status: error.type === 'cancelled' ? CLIENT_DISCONNECTED : searchStatusOf(error),
  errorType: error.type,
  errorMessage: error.message,
})

/** Returns whether a rejection is a failure of the engine rather than of the query. A disconnection shows nothing. */
function isFailure(thrown: unknown): boolean | undefined {
  if (SearchFailure.is(thrown)) return thrown.error.type !== 'unsupported-type' && thrown.error.type !== 'rate-limited'
  return thrown instanceof DOMException && thrown.name === 'AbortError' ? undefined : true
}

/** Returns the gateway's own status for an engine's failure. */
export function searchStatusOf(error: EngineFailure): number {
  switch (error.type) {
    case 'blocked':
    case 'unavailable':
      return 503
    case 'rate-limited':
      return 429
    case 'misconfigured':
      return 502
    case 'timed-out':
      return 504
    case 'unsupported-type':
      return 400
    case 'cancelled':
      return CLIENT_DISCONNECTED
  }
}

function circuitOpen(until: Date): EngineFailure {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000))
  const message = 'The search engine has failed several times and is not called for some seconds.'
  return { type: 'unavailable', message, retryAfterSeconds }
}
