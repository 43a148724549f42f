import type { ConversationRequest } from '../conversation/conversation-request.ts'
import { checkTools } from '../conversation/tool-bounds.ts'
import type { Dialect, JsonObject } from '../dialect.ts'
import type { AnswerContext, DialectTranslation } from '../translation.ts'
import { translations } from '../translations.ts'
import { type SearchableRequest, searchableRequest } from '../web-search/searchable-request.ts'
import type { DialectCall } from './front.ts'
import { translating } from './translation-failure.ts'
import { translationTargetOf, type UpstreamService } from './upstream-service.ts'
import { writeChecked } from './write-checked.ts'

/** A request in the dialect of an upstream, and what the translation of its answer needs. */
export interface TranslatedRequest extends AnswerTranslation, TranslatedBody {}

/** How the answer of an upstream is read and written for the client. */
export interface AnswerTranslation {
  /** The dialect of the upstream. */
  readonly from: DialectTranslation
  /** The dialect of the client. */
  readonly to: DialectTranslation
  readonly context: AnswerContext
}

/** A request whose model may search. Its rounds are written one after the other. */
export interface SearchableTranslation extends AnswerTranslation {
  readonly searchable: SearchableRequest
  /** What the reader of the upstream's answers has to know. */
  readonly readContext: AnswerContext
  write(request: ConversationRequest): TranslatedBody
}

/** A request in the dialect of an upstream. */
export interface TranslatedBody {
  readonly body: JsonObject
  /** The client's names of what was left out. */
  readonly omitted: readonly string[]
}

export interface TranslatorParts {
  readonly now: () => Date
  readonly newId: () => string
  /** Estimates the tokens of the client's prompt. */
  readonly estimateInput: () => number
}

/** Translates one request for upstreams of several dialects. It is read into the inner form once. */
export class RequestTranslator {
  readonly #to: DialectTranslation
  readonly #request: Pick<DialectCall, 'body' | 'requested' | 'answerId'>
  readonly #parts: TranslatorParts
  #conversation: ConversationRequest | undefined

  constructor(front: Dialect, { body, requested, answerId }: DialectCall, parts: TranslatorParts) {
    this.#to = translations[front]
    // Without the bytes of the body, which a long stream would keep.
    this.#request = { body, ...(requested && { requested }), ...(answerId !== undefined && { answerId }) }
    this.#parts = parts
  }

  /** @throws TranslationFailure for what the dialect of the upstream cannot carry */
  translate(service: UpstreamService, model: string): TranslatedRequest {
    const from = translations[service.dialect]
    const target = translationTargetOf(service, model)
    const { conversation, written } = translating(() => {
      const conversation = this.#read()
      return { conversation, written: writeChecked(from, conversation, { model, ...target }) }
    })
    return {
      from,
      to: this.#to,
      context: this.#contextOf(conversation, target.customTools ? [] : customToolsOf(conversation)),
      body: { ...written.body, model },
      omitted: written.omitted,
    }
  }

  /**
   * Returns the request with a function in the place of web search. `undefined` where the request does not offer it, or
   * the dialect of the upstream has it.
   *
   * @throws TranslationFailure for what the dialect of the upstream cannot carry
   */
  searchable(service: UpstreamService, model: string): SearchableTranslation | undefined {
    if (service.dialect !== 'chat' || this.#to.dialect === 'chat') return undefined
    const from = translations[service.dialect]
    const target = translationTargetOf(service, model)
    const conversation = translating(() => this.#read())
    const searchable = searchableRequest(conversation)
    if (!searchable) return undefined
    const custom = target.customTools ? [] : customToolsOf(conversation)
    return {
      searchable,
      from,
      to: this.#to,
      context: this.#contextOf(conversation, custom),
      readContext: this.#contextOf(searchable.request, custom),
      write: (request) => {
        const { body, omitted } = translating(() => writeChecked(from, request, { model, ...target }))
        return { body: { ...body, model }, omitted }
      },
    }
  }

  /** For a complete answer that an upstream of the client's own dialect sends instead of a stream. */
  own(): AnswerTranslation {
    const conversation = translating(() => this.#read())
    return { from: this.#to, to: this.#to, context: this.#contextOf(conversation, []) }
  }

  #read(): ConversationRequest {
    if (this.#conversation) return this.#conversation
    const conversation = this.#to.readRequest(this.#request.body)
    checkTools(conversation)
    this.#conversation = conversation
    return conversation
  }

  #contextOf(request: ConversationRequest, customAsFunctions: readonly string[]): AnswerContext {
    const { now, newId, estimateInput } = this.#parts
    const { body, requested = body, answerId } = this.#request
    return {
      requested,
      ...(answerId !== undefined && { answerId }),
      request,
      customAsFunctions: new Set(customAsFunctions),
      now: Math.floor(now().getTime() / 1000),
      estimateInput,
      newId,
    }
  }
}

const customToolsOf = ({ tools }: ConversationRequest): readonly string[] =>
  tools.flatMap((tool) => (tool.type === 'custom' ? [tool.name] : []))
