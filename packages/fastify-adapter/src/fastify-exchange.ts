import { Readable } from 'node:stream'
import type { Exchange, RequestBody, RequestHeaders } from '@trivium/http-contract'
import { closeSignal, headersOf, queryOf, readBody } from '@trivium/http-contract/node'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A Fastify request as an `Exchange`. Its parts are read on first use. */
export class FastifyExchange implements Exchange {
  readonly params: Readonly<Record<string, string>>
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  #headers: RequestHeaders | undefined
  #signal: AbortSignal | undefined

  constructor(request: FastifyRequest, reply: FastifyReply, params: Readonly<Record<string, string>>) {
    this.params = params
    this.#request = request
    this.#reply = reply
  }

  get method(): string {
    return this.#request.method
  }

  get query(): string {
    return queryOf(this.#request.raw.url)
  }

  get headers(): RequestHeaders {
    this.#headers ??= headersOf(this.#request.raw)
    return this.#headers
  }

  get remoteAddress(): string | undefined {
    return this.#request.ip
  }

  body(limit: number): RequestBody | Promise<RequestBody> {
    const { raw, body } = this.#request
    // Over HTTP/2 a body may arrive without a header that announces it, and Fastify does not read it then.
    if (body === undefined) return readBody(raw, this.#reply.raw, { limit })
    if (body instanceof Readable) return readBody(raw, this.#reply.raw, { limit, source: body })
    if (typeof body === 'string') return { kind: 'bytes', bytes: new TextEncoder().encode(body) }
    if (body instanceof Uint8Array) return { kind: 'bytes', bytes: body }
    return { kind: 'parsed', value: body }
  }

  get signal(): AbortSignal {
    this.#signal ??= closeSignal(this.#request.raw, this.#reply.raw)
    return this.#signal
  }
}
