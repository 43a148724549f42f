import type { GatewayCall } from '../../caller.ts'
import type { ProviderContext } from '../../providers/provider.ts'
import type { ModelSearch } from '../../search/model-search.ts'
import type { JsonObject } from '../dialect.ts'
import type { StreamProtocol } from '../streams/stream-protocol.ts'
import { writtenProtocol } from '../streams/written-protocol.ts'
import { type AnsweredRounds, completeSearching } from '../web-search/complete-searching.ts'
import type { ModelSearchesParts } from '../web-search/model-searches.ts'
import { RoundTokens } from '../web-search/round-tokens.ts'
import { type SearchAllowance, SearchRounds } from '../web-search/search-rounds.ts'
import { searchingStart } from '../web-search/searching-source.ts'
import type { DialectCall } from './front.ts'
import type { FrontSource } from './front-source.ts'
import { readWhole } from './read-whole.ts'
import type { RequestTranslator, SearchableTranslation } from './request-translator.ts'
import { completeAt, parsedOf, streamAt, type UpstreamBody } from './upstream-calls.ts'
import type { UpstreamService } from './upstream-service.ts'

export interface ModelSearchingParts {
  readonly modelSearch: ModelSearch
  readonly maxEventBytes: number
  readonly newId: () => string
  readonly onFault: (error: unknown) => void
  /** Estimates the tokens of the client's prompt. */
  readonly estimateInput: () => number
  /** Whether the limit of output has to hold. */
  readonly isBound: boolean
}

/** The searches of the models that one request of a client is sent to. All attempts together have one allowance. */
export class ModelSearching {
  readonly #translator: RequestTranslator
  readonly #call: Pick<GatewayCall, 'requestId' | 'caller'>
  readonly #maySearch: NonNullable<DialectCall['maySearch']>
  readonly #parts: ModelSearchingParts
  #isAdmitted: Promise<boolean> | undefined
  #allowance: SearchAllowance | undefined
  #answered: AnsweredRounds | undefined

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

  /** The rounds of the last attempt that the gateway searches for. */
  get rounds(): SearchRounds | undefined {
    return this.#answered?.rounds
  }

  /**
   * Returns `undefined` where the gateway does not search for this upstream. After rounds that have ended, a further
   * attempt continues them, because upstreams were paid for them.
   */
  async begin(service: UpstreamService, model: string, context: ProviderContext): Promise<SearchingCall | undefined> {
    const translation = this.#translator.searchable(service, model)
    if (!translation) return undefined
    this.#isAdmitted ??= Promise.resolve(this.#maySearch())
    if (!(await this.#isAdmitted)) return undefined
    const { modelSearch } = this.#parts
    const { maxSearches } = modelSearch.bounds
    const { tool } = translation.searchable
    this.#allowance ??= { left: Math.max(0, Math.floor(Math.min(maxSearches, tool.maxUses ?? maxSearches))) }
    let answered = this.#answered
    if (!answered?.rounds.spent) {
      const tokens = new RoundTokens(this.#parts.estimateInput)
      const rounds = new SearchRounds(translation.searchable, modelSearch.bounds, this.#allowance, tokens)
      answered = { rounds, content: [] }
      this.#answered = answered
    }
    const searches = { ...this.#parts, call: { ...this.#call, signal: context.signal }, tool }
    return new SearchingCall({ ...this.#parts, service, model, context, translation, answered, searches })
  }
}

interface SearchingCallParts extends Pick<ModelSearchingParts, 'maxEventBytes' | 'onFault' | 'isBound'> {
  readonly service: UpstreamService
  readonly model: string
  readonly context: ProviderContext
  readonly translation: SearchableTranslation
  readonly answered: AnsweredRounds
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
    const { service, context, translation, answered, searches, maxEventBytes } = this.#parts
    const { from, to, readContext } = translation
    const { secrets = [] } = service.provider
    let headers: Readonly<Record<string, string>> = {}
    const answer = await completeSearching(
      answered,
      async (request) => {
        const whole = await completeAt(service, this.#bodyOf(request), context)
        headers = whole.answer.headers ?? {}
        return readWhole(parsedOf(whole), { from, context: readContext, most: maxEventBytes, secrets })
      },
      searches,
    )
    return { value: to.writeAnswer(answer, translation.context), headers, omitted: this.#omitted ?? [] }
  }

  /** Requests a stream in the dialect of the client. */
  async stream(clientProtocol: StreamProtocol): Promise<FrontSource> {
    const { service, context, translation, answered, searches, maxEventBytes, onFault } = this.#parts
    const { rounds } = answered
    const { from, to, readContext } = translation
    const { secrets = [] } = service.provider
    const ask = (request: SearchRounds['request']) => streamAt(service, this.#bodyOf(request), context)
    const first = await ask(rounds.request)
    const writer = to.writeEvents(translation.context)
    const protocol = writtenProtocol(clientProtocol, writer)
    let inputTokens: number | undefined
    let pieces = 0
    const start = searchingStart(first, {
      rounds,
      searches,
      ask,
      newReader: () => from.readEvents(readContext),
      readAnswer: (value) => readWhole(value, { from, context: readContext, most: maxEventBytes, secrets }),
      writer,
      end: protocol.end,
      maxEventBytes,
      onFault,
      onInputTokens: (tokens) => {
        inputTokens = tokens
      },
      onNextRound: () => {
        inputTokens = undefined
        pieces = protocol.account.pieces
      },
    })
    const omitted = this.#omitted ?? []
    return {
      protocol,
      start,
      secrets: [],
      headers: first.headers,
      omitted,
      inputTokens: () => (rounds.isAsking ? inputTokens : 0),
      ended: () => rounds.spent && { ...rounds.spent, pieces: rounds.isAsking ? pieces : protocol.account.pieces },
    }
  }

  #bodyOf(request: SearchRounds['request']): UpstreamBody {
    const { model, translation, isBound } = this.#parts
    const { body, omitted } = translation.write(request)
    this.#omitted ??= omitted
    return { model, body, raw: undefined, headers: {}, isBound }
  }
}
