import type { GatewayCall } from '../../caller.ts'
import type { ProviderContext } from '../../providers/provider.ts'
import type { ModelSearch } from '../../search/model-search.ts'
import { encodeInTurns } from '../requests/encode-in-turns.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import type { DialectCall, Front } from './front.ts'
import { type FrontSource, frontSource } from './front-source.ts'
import { ModelSearching } from './model-searching.ts'
import { RequestTranslator, type TranslatedRequest, type TranslatorParts } from './request-translator.ts'
import { completeAt, parsedOf, streamAt, type UpstreamBody } from './upstream-calls.ts'
import type { UpstreamService } from './upstream-service.ts'

export interface ClientRequestParts extends TranslatorParts {
  readonly maxEventBytes: number
  /** Names of the client's headers that upstreams get. */
  readonly forwardHeaders: readonly string[]
  /** `undefined` where the gateway has no engine that finds pages. */
  readonly modelSearch: ModelSearch | undefined
  readonly onFault: (error: unknown) => void
}

/** A request of a client, for upstreams of any dialect. */
export class ClientRequest<Whole> {
  readonly #front: Front<Whole>
  readonly #request: DialectCall
  readonly #parts: ClientRequestParts
  readonly #translator: RequestTranslator
  readonly #searching: ModelSearching | undefined

  constructor(front: Front<Whole>, call: GatewayCall, request: DialectCall, parts: ClientRequestParts) {
    this.#front = front
    this.#request = request
    this.#parts = parts
    this.#translator = new RequestTranslator(front.dialect, request, parts)
    const { modelSearch } = parts
    const { maySearch } = request
    this.#searching = modelSearch && new ModelSearching(this.#translator, call, maySearch, { ...parts, modelSearch })
  }

  /** Requests a complete answer, and returns it in the dialect of the client. */
  async complete(
    service: UpstreamService,
    model: string,
    context: ProviderContext,
  ): Promise<{ readonly answer: Whole; readonly omitted: readonly string[] }> {
    const searching = await this.#searching?.begin(service, model, this.#contextFor(service, context))
    if (searching) {
      const { value, headers, omitted } = await searching.complete()
      return { answer: this.#front.written(value, headers), omitted }
    }
    const translated = this.#translate(service, model)
    const upstream = await this.#bodyFor(service, model, translated)
    const whole = await completeAt(service, upstream, this.#contextFor(service, context))
    if (!translated) return { answer: this.#front.passed(whole), omitted: [] }
    const { from, to, context: answerContext, omitted } = translated
    const value = to.writeAnswer(from.readAnswer(parsedOf(whole), answerContext), answerContext)
    return { answer: this.#front.written(value, whole.answer.headers ?? {}), omitted }
  }

  /** Requests a stream, and returns it in the dialect of the client. */
  async stream(service: UpstreamService, model: string, context: ProviderContext): Promise<FrontSource> {
    const { requestId } = context
    const searching = await this.#searching?.begin(service, model, this.#contextFor(service, context))
    if (searching) return searching.stream(this.#front.protocol(this.#request.body, requestId, true))
    const translated = this.#translate(service, model)
    const upstream = await this.#bodyFor(service, model, translated)
    const stream = await streamAt(service, upstream, this.#contextFor(service, context))
    return frontSource(stream, {
      protocolFor: (addsUsage) => this.#front.protocol(this.#request.body, requestId, addsUsage),
      translation: translated,
      ownTranslation: () => this.#translator.own(),
      omitted: translated?.omitted ?? [],
      maxEventBytes: this.#parts.maxEventBytes,
    })
  }

  #translate(service: UpstreamService, model: string): TranslatedRequest | undefined {
    return service.dialect === this.#front.dialect ? undefined : this.#translator.translate(service, model)
  }

  async #bodyFor(
    { dialect }: UpstreamService,
    model: string,
    translated: TranslatedRequest | undefined,
  ): Promise<UpstreamBody> {
    const { body: own, raw, headers: sent } = this.#request
    const headers = dialect === 'chat' ? {} : forwardedHeaders(sent, dialect, this.#parts.forwardHeaders)
    if (!translated && raw) return { model, body: own, raw, headers }
    const body = translated?.body ?? own
    return { model, body, raw: await encodeInTurns(body), headers }
  }

  /** Requests of chats have no headers of their own. */
  #contextFor({ dialect }: UpstreamService, context: ProviderContext): ProviderContext {
    const { forwardHeaders } = this.#parts
    if (dialect !== 'chat' || forwardHeaders.length === 0) return context
    const headers = forwardedHeaders(this.#request.headers, dialect, forwardHeaders)
    return { ...context, headers: { ...headers, ...context.headers } }
  }
}
