import type { GatewayCall } from '../../caller.ts'
import type { AnswerUsage } from '../../chat/answer-usage.ts'
import type { ProviderContext } from '../../providers/provider.ts'
import type { ModelSearch } from '../../search/model-search.ts'
import { limitedOutput } from '../bounds/output-names.ts'
import type { JsonObject } from '../dialect.ts'
import { messagesFront } from '../messages/messages-front.ts'
import { mayPause } from '../messages/paused-turn.ts'
import { turnStream } from '../messages/turn-source.ts'
import { wholeTurn } from '../messages/whole-turn.ts'
import { encodeBody, withoutByteOrderMark } from '../requests/encode-body.ts'
import { encodeInTurns } from '../requests/encode-in-turns.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import type { DialectCall, Front } from './front.ts'
import { type FrontSource, frontSource } from './front-source.ts'
import { ModelSearching, type SearchingCall } from './model-searching.ts'
import { readWhole } from './read-whole.ts'
import { RequestTranslator, type TranslatorParts } from './request-translator.ts'
import { TranslationFailure } from './translation-failure.ts'
import { completeAt, parsedOf, streamAt, type UpstreamBody } from './upstream-calls.ts'
import { firstThatCarries, type UpstreamService, type UpstreamServices } from './upstream-service.ts'

export interface ClientRequestParts extends Omit<TranslatorParts, 'estimateInput'> {
  readonly maxEventBytes: number
  /** `undefined` where the gateway has no engine that finds pages. */
  readonly modelSearch: ModelSearch | undefined
  readonly onFault: (error: unknown) => void
}

interface CompletedRequest<Whole> {
  readonly answer: Whole
  readonly omitted: readonly string[]
}

/** A request of a client, for upstreams of any dialect. */
export class ClientRequest<Whole> {
  readonly #front: Front<Whole>
  readonly #call: GatewayCall
  #request: DialectCall
  readonly #parts: ClientRequestParts
  #knownTranslator: RequestTranslator | undefined
  #searching: ModelSearching | undefined
  #paused: AnswerUsage | undefined
  /** Whether the limit of output has to hold, because money is reserved for it. */
  isBound = false
  /** Estimates the tokens of the prompt, once. */
  readonly estimateInput: () => number

  constructor(front: Front<Whole>, call: GatewayCall, request: DialectCall, parts: ClientRequestParts) {
    this.#front = front
    this.#call = call
    this.#request = request
    this.#parts = parts
    this.estimateInput = inputEstimate(front, request)
  }

  /** What the rounds that have ended have used, where the gateway searches for the model. */
  get spent(): AnswerUsage | undefined {
    return this.#searching?.rounds?.spent
  }

  /** The number of searches that the gateway has made for the model. */
  get ownSearches(): number {
    return this.#searching?.rounds?.searches ?? 0
  }

  /** What is booked where the request fails: the rounds that have ended, of searches or of a turn that has paused. */
  get lost(): AnswerUsage | undefined {
    return this.spent ?? this.#paused
  }

  /** Whether an upstream works on the request, and not the gateway's search. */
  get isAsking(): boolean {
    return this.#searching?.rounds?.isAsking ?? true
  }

  /** Limits the output tokens of each answer, where the client has not. Called before the request is sent. */
  limitOutput(tokens: number): void {
    const { body, raw, requested = body } = this.#request
    this.#call.isOutputLimited = true
    const limits = limitedOutput(body, this.#front.outputParam(body), tokens)
    const bytes = raw && encodeBody(body, withoutByteOrderMark(raw), new Map(Object.entries(limits)))
    this.#request = { ...this.#request, body: { ...body, ...limits }, raw: bytes, requested }
  }

  /** Requests a complete answer, and returns it in the dialect of the client. */
  complete(services: UpstreamServices, model: string, context: ProviderContext): Promise<CompletedRequest<Whole>> {
    return firstThatCarries(services, (service) =>
      service.dialect === this.#front.dialect
        ? this.#completeOwn(service, model, context)
        : this.#completeTranslated(service, model, context),
    )
  }

  async #completeOwn(
    service: UpstreamService,
    model: string,
    context: ProviderContext,
  ): Promise<CompletedRequest<Whole>> {
    if (this.spent) throw new TranslationFailure(startedAgain)
    const upstream =
      this.#ownBody(service, model) ?? (await this.#encoded(service, model, this.#request.body, context.signal))
    const whole = await completeAt(service, upstream, this.#contextFor(service, context))
    return { answer: this.#front.passed(whole), omitted: [] }
  }

  async #completeTranslated(
    service: UpstreamService,
    model: string,
    context: ProviderContext,
  ): Promise<CompletedRequest<Whole>> {
    const searching = await this.#search(service, model, context)
    if (searching) {
      const { value, headers, omitted } = await searching.complete()
      return { answer: await this.#written(value, headers, context.signal), omitted }
    }
    if (this.spent) throw new TranslationFailure(startedAgain)
    const { body, from, to, context: answerContext, omitted } = this.#translator.translate(service, model)
    const ask = async (asked: JsonObject) =>
      completeAt(
        service,
        await this.#encoded(service, model, asked, context.signal),
        this.#contextFor(service, context),
      )
    const { last, message } = await wholeTurn(body, {
      mayPause: pauses(service, body),
      ask,
      messageOf: parsedOf,
      onPaused: (usage) => {
        this.#paused = messagesFront.usageOf(body, { usage })
      },
    })
    const { secrets = [] } = service.provider
    const answer = readWhole(message, { from, context: answerContext, most: this.#parts.maxEventBytes, secrets })
    const value = to.writeAnswer(answer, answerContext)
    return { answer: await this.#written(value, last.answer.headers ?? {}, context.signal), omitted }
  }

  /** Requests a stream, and returns it in the dialect of the client. */
  stream(services: UpstreamServices, model: string, context: ProviderContext): Promise<FrontSource> {
    return firstThatCarries(services, (service) => this.#streamBy(service, model, context))
  }

  async #streamBy(service: UpstreamService, model: string, context: ProviderContext): Promise<FrontSource> {
    const { requestId } = context
    const isOwn = service.dialect === this.#front.dialect
    const searching = isOwn ? undefined : await this.#search(service, model, context)
    if (searching) return searching.stream(this.#front.protocol(this.#request.body, requestId, true))
    const translated = isOwn ? undefined : this.#translator.translate(service, model)
    const upstream =
      (isOwn && this.#ownBody(service, model)) ||
      (await this.#encoded(service, model, translated?.body ?? this.#request.body, context.signal))
    const stream = await streamAt(service, upstream, this.#contextFor(service, context))
    const options = {
      protocolFor: (addsUsage: boolean) => this.#front.protocol(this.#request.body, requestId, addsUsage),
      translation: translated,
      ownTranslation: () => this.#translator.own(),
      omitted: translated?.omitted ?? [],
      maxEventBytes: this.#parts.maxEventBytes,
    }
    if (!translated || !pauses(service, translated.body)) return frontSource(stream, options)
    let inputTokens: number | undefined
    const turn = turnStream(stream, {
      body: translated.body,
      ask: async (body) =>
        streamAt(
          service,
          await this.#encoded(service, model, body, context.signal),
          this.#contextFor(service, context),
        ),
      maxEventBytes: this.#parts.maxEventBytes,
      onInputTokens: (tokens) => {
        inputTokens = tokens
      },
      onFault: this.#parts.onFault,
    })
    const source = frontSource(turn, options)
    return { ...source, inputTokens: () => inputTokens ?? source.inputTokens() }
  }

  /** An upstream of the client's own dialect needs no translation. */
  get #translator(): RequestTranslator {
    const parts = { ...this.#parts, estimateInput: this.estimateInput }
    this.#knownTranslator ??= new RequestTranslator(this.#front.dialect, this.#request, parts)
    return this.#knownTranslator
  }

  async #search(service: UpstreamService, model: string, context: ProviderContext): Promise<SearchingCall | undefined> {
    const { modelSearch } = this.#parts
    if (!modelSearch) return undefined
    const parts = { ...this.#parts, modelSearch, estimateInput: this.estimateInput, isBound: this.isBound }
    this.#searching ??= new ModelSearching(this.#translator, this.#call, this.#request.maySearch, parts)
    return this.#searching.begin(service, model, this.#contextFor(service, context))
  }

  /** The body as its client sent it. `undefined` where its bytes are unknown. */
  #ownBody(service: UpstreamService, model: string): UpstreamBody | undefined {
    const { body, raw } = this.#request
    return raw && { model, body, raw, headers: this.#headersFor(service), isBound: this.isBound }
  }

  async #encoded(
    service: UpstreamService,
    model: string,
    body: JsonObject,
    signal: AbortSignal,
  ): Promise<UpstreamBody> {
    const raw = await encodeInTurns(body, signal)
    return { model, body, raw, headers: this.#headersFor(service), isBound: this.isBound }
  }

  async #written(value: JsonObject, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Whole> {
    const bytes = (await encodeInTurns(value, signal)) ?? encoder.encode(JSON.stringify(value))
    return this.#front.written(value, bytes, headers)
  }

  #headersFor({ dialect, forwardHeaders }: UpstreamService): Readonly<Record<string, string>> {
    return dialect === 'chat' ? noHeaders : forwardedHeaders(this.#request.headers, dialect, forwardHeaders)
  }

  /** Requests of chats have no headers of their own. */
  #contextFor({ dialect, forwardHeaders }: UpstreamService, context: ProviderContext): ProviderContext {
    if (dialect !== 'chat' || forwardHeaders.length === 0) return context
    const headers = forwardedHeaders(this.#request.headers, dialect, forwardHeaders)
    return { ...context, headers: { ...headers, ...context.headers } }
  }
}

const encoder = new TextEncoder()
const noHeaders = {}

/** Without the bytes of the body, which a long stream would keep. */
function inputEstimate(
  front: Pick<Front<unknown>, 'estimateInput'>,
  { body }: Pick<DialectCall, 'body'>,
): () => number {
  let estimate: number | undefined
  return () => {
    estimate ??= front.estimateInput(body)
    return estimate
  }
}

/** The client gets the error of the first model. */
const startedAgain = {
  type: 'unsupported',
  param: 'tools',
  message: 'The model cannot continue an answer that another one has begun with searches.',
} as const

/** Returns whether the upstream may pause its turn, which only clients of its own dialect continue. */
const pauses = ({ dialect }: UpstreamService, body: JsonObject): boolean => dialect === 'messages' && mayPause(body)
