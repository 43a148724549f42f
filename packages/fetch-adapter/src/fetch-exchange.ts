import {
  type Exchange,
  forwardedMount,
  forwardedPath,
  givenBody,
  givenChunks,
  isPlainHost,
  type Mount,
  type MountAddress,
  mountOf,
  type RequestBody,
  type RequestHeaders,
} from '@trivium/http-contract'
import type { FetchHost, FetchPeer } from './fetch-host.ts'
import { consumed, readFetchBody, streamFetchBody } from './read-fetch-body.ts'

/** What the requests of one handler have in common. */
export interface Mounted {
  readonly prefix: string
  readonly closing: AbortSignal
}

/** A web-standard request as an `Exchange`. Its parts are read on first use. */
export class FetchExchange<Context> implements Exchange<FetchHost<Context>> {
  readonly params: Readonly<Record<string, string>>
  readonly query: string
  readonly closing: AbortSignal
  readonly #request: Request
  readonly #peer: FetchPeer<Context>
  readonly #prefix: string
  #headers: RequestHeaders | undefined

  constructor(
    request: Request,
    params: Readonly<Record<string, string>>,
    query: string,
    peer: FetchPeer<Context>,
    { prefix, closing }: Mounted,
  ) {
    this.params = params
    this.query = query
    this.#request = request
    this.closing = closing
    this.#peer = peer
    this.#prefix = prefix
  }

  get method(): string {
    return this.#request.method
  }

  get headers(): RequestHeaders {
    this.#headers ??= Object.fromEntries(this.#request.headers)
    return this.#headers
  }

  get remoteAddress(): string | undefined {
    return this.#peer.remoteAddress
  }

  get host(): FetchHost<Context> {
    return { request: this.#request, context: this.#peer.context }
  }

  get mount(): Mount {
    const { origin, basePath = '', isFromProxy = false } = this.#peer
    const path = `${basePath}${this.#prefix}`
    const address = () => (origin === undefined ? this.#address : addressOf(origin))
    if (!isFromProxy) return mountOf(path, address)
    if (origin === undefined) return forwardedMount(this.headers, path, address)
    return mountOf(forwardedPath(this.headers['x-forwarded-prefix'], path), address)
  }

  get #address(): MountAddress {
    const { scheme, host } = addressOf(this.#request.url)
    // A server may have built the URL from a header that is not a host, such as `user@example.com` or two that are joined.
    return { scheme, host: isPlainHost(this.#request.headers.get('host') ?? 'absent') ? host : undefined }
  }

  body(limit: number): RequestBody | Promise<RequestBody> {
    const { body } = this.#peer
    if (body === undefined) return readFetchBody(this.#request, limit)
    return givenBody(body, this.#request.headers.get('content-type') ?? undefined)
  }

  chunks(limit: number): AsyncIterable<Uint8Array> {
    const { body } = this.#peer
    return body === undefined ? streamFetchBody(this.#request, limit) : givenChunks(body, consumed)
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }
}

function addressOf(url: string): MountAddress {
  const { protocol, host } = URL.parse(url) ?? { protocol: 'http:', host: undefined }
  return { scheme: protocol.slice(0, -1), host }
}
