import type { GatewayCall } from '../../caller.ts'
import type { ProviderContext } from '../../providers/provider.ts'
import type { ModelSearch } from '../../search/model-search.ts'
import type { JsonObject } from '../dialect.ts'
import type { StreamProtocol } from '../streams/stream-protocol.ts'
import { completeSearching } from '../web-search/complete-searching.ts'
import type { ModelSearchesParts } from '../web-search/model-searches.ts'
import { type SearchAllowance, SearchRounds } from '../web-search/search-rounds.ts'
import { searchingStart } from '../web-search/searching-source.ts'
import type { DialectCall } from './front.ts'
import type { FrontSource } from './front-source.ts'
import type { RequestTranslator, SearchableTranslation } from './request-translator.ts'
import { completeAt, streamAt, type UpstreamBody } from './upstream-calls.ts'
import type { UpstreamService } from './upstream-service.ts'

export interface ModelSearchingParts {
  readonly modelSearch: ModelSearch
  readonly maxEventBytes: number
  readonly newId: () => string
  readonly onFault: (error: unknown) => void
}

/** The searches of the models that one request of a client is sent to. All attempts together have one allowance. */
export class ModelSearching {
  readonly #translator: RequestTranslator
  readonly #call: Pick<GatewayCall, 'requestId' | 'caller'>
  readonly #maySearch: NonNullable<DialectCall['maySearch']>
  readonly #parts: ModelSearchingParts
  #isAdmitted: Promise<boolean> | undefined
  #allowance: SearchAllowance | undefined

  constructor(
    translator: RequestTranslator,
    { requestId, caller }: GatewayCall,
    maySearch: DialectCall['maySearch'],
    parts: ModelSearchingParts,
  ) {
    this.#translator = translator
    this.#call = { requestId, caller }
    this.#maySearch = maySearch ?? (() => true)
    this.#parts = parts
  }

  /** Returns `undefined` where the gateway does not search for this upstream. */
  async begin(service: UpstreamService, model: string, context: ProviderContext): Promise<SearchingCall | undefined> {
    const translation = this.#translator.searchable(service, model)
    if (!translation) return undefined
    this.#isAdmitted ??= Promise.resolve(this.#maySearch())
    if (!(await this.#isAdmitted)) return undefined
    const { modelSearch } = this.#parts
    const { maxSearches } = modelSearch.bounds
    const { tool } = translation.searchable
    this.#allowance ??= { left: Math.max(0, Math.floor(Math.min(maxSearches, tool.maxUses ?? maxSearches))) }
    const rounds = new SearchRounds(translation.searchable, modelSearch.bounds, this.#allowance)
    const searches = { ...this.#parts, call: { ...this.#call, signal: context.signal }, tool }
    return new SearchingCall({ ...this.#parts, service, model, context, translation, rounds, searches })
  }
}

interface SearchingCallParts extends Pick<ModelSearchingParts, 'maxEventBytes' | 'onFault'> {
  readonly service: UpstreamService
  readonly model: string
  readonly context: ProviderContext
  readonly translation: SearchableTranslation
  readonly rounds: SearchRounds
  readonly searches: ModelSearchesParts
}

/** The calls of one upstream whose model may search. */
export class SearchingCall {
  readonly #parts: SearchingCallParts
  #omitted: readonly string[] | undefined

  constructor(parts: SearchingCallParts) {
    this.#parts = parts
  }

  /** Requests a complete answer in the dialect of the client. */
  async complete(): Promise<{
    readonly value: JsonObject
    readonly headers: Readonly<Record<string, string>>
    readonly omitted: readonly string[]
  }> {
    const { service, context, translation, rounds, searches } = this.#parts
    const { from, to, readContext } = translation
    let headers: Readonly<Record<string, string>> = {}
    const answer = await completeSearching(
      rounds,
      async (request) => {
        const whole = await completeAt(service, this.#bodyOf(request), context)
        headers = whole.answer.headers ?? {}
        return from.readAnswer(whole.dialect === 'chat' ? whole.answer.completion : whole.answer.value, readContext)
      },
      searches,
    )
    return { value: to.writeAnswer(answer, translation.context), headers, omitted: this.#omitted ?? [] }
  }

  /** Requests a stream in the dialect of the client. */
  async stream(protocol: StreamProtocol): Promise<FrontSource> {
    const { service, context, translation, rounds, searches, maxEventBytes, onFault } = this.#parts
    const { from, to, readContext } = translation
    const ask = (request: SearchRounds['request']) => streamAt(service, this.#bodyOf(request), context)
    const first = await ask(rounds.request)
    let inputTokens: number | undefined
    const start = searchingStart(first, {
      rounds,
      searches,
      ask,
      newReader: () => from.readEvents(readContext),
      readAnswer: (value) => from.readAnswer(value, readContext),
      writer: to.writeEvents(translation.context),
      end: protocol.end,
      maxEventBytes,
      onFault,
      onInputTokens: (tokens) => {
        inputTokens = tokens
      },
    })
    const omitted = this.#omitted ?? []
    return { protocol, start, secrets: [], headers: first.headers, omitted, inputTokens: () => inputTokens }
  }

  #bodyOf(request: SearchRounds['request']): UpstreamBody {
    const { model, translation } = this.#parts
    const { body, omitted } = translation.write(request)
    this.#omitted ??= omitted
    return { model, body, raw: undefined, headers: {} }
  }
}
