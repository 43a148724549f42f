import type { ProviderChatRequest } from '../../providers/provider.ts'
import type { ChatCompletionRequest } from '../chat-request.ts'
import { spliceMembers } from './splice-members.ts'

const encoder = new TextEncoder()

/** A client's request as one upstream gets it; encoded only when the upstream asks for it. */
export class UpstreamRequest implements ProviderChatRequest {
  readonly model: string
  readonly body: ChatCompletionRequest
  readonly #raw: Uint8Array | undefined
  readonly #asksUsage: boolean

  constructor(model: string, body: ChatCompletionRequest, raw: Uint8Array | undefined, asksUsage: boolean) {
    this.model = model
    this.body = body
    this.#raw = raw && withoutByteOrderMark(raw)
    this.#asksUsage = asksUsage
  }

  encode(changes?: Readonly<Record<string, unknown>>): Uint8Array {
    const all = this.#changes()
    if (changes) for (const [name, value] of Object.entries(changes)) all.set(name, value)
    if (!this.#raw) return encoder.encode(JSON.stringify({ ...this.body, ...Object.fromEntries(all) }))
    return all.size === 0 ? this.#raw : spliceMembers(this.#raw, all)
  }

  #changes(): Map<string, unknown> {
    const changes = new Map<string, unknown>()
    const { body } = this
    if (body.model !== this.model) changes.set('model', this.model)
    if (body.timeout !== undefined) changes.set('timeout', undefined)
    if (this.#asksUsage && body.stream && !asksForUsage(body)) {
      changes.set('stream_options', { ...body.stream_options, include_usage: true })
    }
    return changes
  }
}

/** The mark is taken from clients, and no sender of JSON may write it: not every upstream takes it. */
const withoutByteOrderMark = (json: Uint8Array): Uint8Array =>
  json[0] === 0xef && json[1] === 0xbb && json[2] === 0xbf ? json.subarray(3) : json

/** Whether the client itself wants the chunk with the usage. */
export const asksForUsage = ({ stream_options: options }: ChatCompletionRequest): boolean =>
  options?.include_usage === true
