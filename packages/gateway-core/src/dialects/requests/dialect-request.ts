import type { ProviderDialectRequest } from '../../providers/provider.ts'
import type { JsonObject } from '../dialect.ts'
import { encodeBody, withoutByteOrderMark } from './encode-body.ts'

/** A request of responses or messages for one upstream. It is encoded only when the provider calls `encode`. */
export class DialectRequest implements ProviderDialectRequest {
  readonly model: string
  readonly body: JsonObject
  readonly headers: Readonly<Record<string, string>>
  readonly #raw: Uint8Array | undefined
  readonly #own: JsonObject
  readonly #added: JsonObject | undefined

  /** @param added fields that `body` does not have */
  constructor(
    model: string,
    body: JsonObject,
    raw: Uint8Array | undefined,
    headers: Readonly<Record<string, string>>,
    added?: JsonObject,
  ) {
    this.model = model
    this.body = added ? { ...body, ...added } : body
    this.headers = headers
    this.#raw = raw && withoutByteOrderMark(raw)
    this.#own = body
    this.#added = added
  }

  encode(changes?: Readonly<Record<string, unknown>>): Uint8Array {
    const all = new Map<string, unknown>(this.#added && Object.entries(this.#added))
    if (this.body.model !== this.model) all.set('model', this.model)
    // The gateway's own field.
    if (this.body.timeout !== undefined) all.set('timeout', undefined)
    if (changes) for (const [name, value] of Object.entries(changes)) all.set(name, value)
    return encodeBody(this.#own, this.#raw, all)
  }
}
