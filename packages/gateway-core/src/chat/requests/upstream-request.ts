import type { JsonObject } from '../../dialects/dialect.ts'
import { encodeBody, withoutByteOrderMark } from '../../dialects/requests/encode-body.ts'
import type { ProviderChatRequest } from '../../providers/provider.ts'
import type { ChatCompletionRequest } from '../chat-request.ts'

export interface UpstreamRequestOptions {
  /** Whether the gateway requests the usage of a stream. */
  readonly asksUsage: boolean
  /** Fields that the body does not have. */
  readonly added?: JsonObject | undefined
}

/** A client's request for one upstream. It is encoded only when the provider calls `encode`. */
export class UpstreamRequest implements ProviderChatRequest {
  readonly model: string
  readonly body: ChatCompletionRequest
  readonly #raw: Uint8Array | undefined
  readonly #own: ChatCompletionRequest
  readonly #added: JsonObject | undefined
  readonly #asksUsage: boolean

  constructor(
    model: string,
    body: ChatCompletionRequest,
    raw: Uint8Array | undefined,
    { asksUsage, added }: UpstreamRequestOptions,
  ) {
    this.model = model
    this.body = added ? { ...body, ...added } : body
    this.#raw = raw && withoutByteOrderMark(raw)
    this.#own = body
    this.#added = added
    this.#asksUsage = asksUsage
  }

  encode(changes?: Readonly<Record<string, unknown>>): Uint8Array {
    const all = this.#changes()
    if (changes) for (const [name, value] of Object.entries(changes)) all.set(name, value)
    return encodeBody(this.#own, this.#raw, all)
  }

  #changes(): Map<string, unknown> {
    const changes = new Map<string, unknown>(this.#added && Object.entries(this.#added))
    const { body } = this
    if (body.model !== this.model) changes.set('model', this.model)
    // Mistral takes both words, OpenAI only this one.
    if (body.tool_choice === 'any') changes.set('tool_choice', 'required')
    if (body.timeout !== undefined) changes.set('timeout', undefined)
    if (this.#asksUsage && body.stream && !asksForUsage(body)) {
      changes.set('stream_options', { ...body.stream_options, include_usage: true })
    }
    return changes
  }
}

/** Returns whether the client itself requests the chunk with the usage. */
export const asksForUsage = ({ stream_options: options }: ChatCompletionRequest): boolean =>
  options?.include_usage === true
