import { Readable } from 'node:stream'
import {
  consumedBody,
  type Exchange,
  forwardedPath,
  givenBody,
  givenChunks,
  type Mount,
  mountOf,
  type RequestBody,
  type RequestHeaders,
} from '@trivium/http-contract'
import {
  closeSignal,
  headersOf,
  mountPathOf,
  pathOf,
  queryOf,
  type ResponseLifetime,
  readBody,
  streamBody,
} from '@trivium/http-contract/node'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** One registration of the plugin. */
export interface Mounted {
  /** Returns the prefix of the plugin at the beginning of a path, as the client sent it. */
  readonly prefixOf: (path: string) => string
  readonly lifetime: ResponseLifetime
}

/** A Fastify request as an `Exchange`. Its parts are read on first use. */
export class FastifyExchange implements Exchange<FastifyRequest> {
  readonly params: Readonly<Record<string, string>>
  readonly host: FastifyRequest
  readonly closing: AbortSignal
  readonly #prefixOf: Mounted['prefixOf']
  readonly #reply: FastifyReply
  #headers: RequestHeaders | undefined
  #signal: AbortSignal | undefined

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    params: Readonly<Record<string, string>>,
    { prefixOf, lifetime }: Mounted,
  ) {
    this.params = params
    this.host = request
    this.closing = lifetime.closing
    this.#prefixOf = prefixOf
    this.#reply = reply
  }

  get method(): string {
    return this.host.method
  }

  get query(): string {
    return queryOf(this.host.raw.url)
  }

  get headers(): RequestHeaders {
    this.#headers ??= headersOf(this.host.raw)
    return this.#headers
  }

  get remoteAddress(): string | undefined {
    return this.host.ip
  }

  get mount(): Mount {
    const { originalUrl, raw } = this.host
    const own = pathOf(raw.url)
    const mounted = this.#prefixOf(own)
    const path = mountPathOf(originalUrl, own.slice(mounted.length), mounted)
    const prefix = raw.headers['x-forwarded-prefix']
    return mountOf(prefix === undefined || !isFromProxy(this.host) ? path : forwardedPath(prefix, path), () => ({
      scheme: this.host.protocol,
      host: typeof this.headers.host === 'object' ? undefined : this.host.host,
    }))
  }

  body(limit: number): RequestBody | Promise<RequestBody> {
    const { raw, body } = this.host
    // Over HTTP/2 a body may arrive without a header that announces it, and Fastify does not read it then.
    if (body === undefined) return readBody(raw, this.#reply.raw, { limit })
    if (body instanceof Readable) return readBody(raw, this.#reply.raw, { limit, source: body })
    return givenBody(body, raw.headers['content-type'])
  }

  chunks(limit: number): AsyncIterable<Uint8Array> {
    const { raw, body } = this.host
    if (body === undefined) return streamBody(raw, this.#reply.raw, { limit })
    if (body instanceof Readable) return streamBody(raw, this.#reply.raw, { limit, source: body })
    return givenChunks(body, consumed)
  }

  get signal(): AbortSignal {
    this.#signal ??= closeSignal(this.host.raw, this.#reply.raw)
    return this.#signal
  }
}

const consumed = consumedBody('Remove the hook that parses forms from the routes of the plugin.')

/** Whether `trustProxy` of the host trusts the peer: only then there are addresses besides the peer's. */
const isFromProxy = ({ ips = [] }: FastifyRequest): boolean => ips.length > 1
