import { fetchHandler } from '@trivium/fetch-adapter'
import {
  type ApiKey,
  createGateway,
  type Gateway,
  type GatewayOptions,
  type NewApiKey,
  type UsageRecord,
} from '@trivium/gateway-core'
import { type GatewayRoutesOptions, gatewayContract, gatewayRoutes } from '@trivium/gateway-core/http'
import { memoryGatewayRepositories, memoryImages } from '@trivium/gateway-core/memory'
import type { GatewayRepositories } from '@trivium/gateway-core/ports'
import { type Client, createClient } from '@trivium/http-client'
import { expect, onTestFinished } from 'vitest'
import { fakeProvider } from './fake-provider.ts'

export interface OpenGatewayOptions extends Partial<Omit<GatewayOptions, 'repositories'>> {
  readonly repositories?: Partial<GatewayRepositories>
  readonly routes?: GatewayRoutesOptions
  readonly withoutImageStore?: boolean
  readonly withoutGroups?: boolean
  readonly withoutPublicUrl?: boolean
}

const BASE = 'http://gateway.test'

export const ADMIN = `Basic ${btoa('admin:secret')}`

export interface RequestParts {
  readonly method?: string
  /** Text, bytes and streams are sent unchanged, everything else as JSON. */
  readonly body?: unknown
  /** A key's secret, or a complete Authorization header. */
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly remoteAddress?: string | undefined
  readonly signal?: AbortSignal
}

/** A gateway with stores in memory and its own clock, called through the fetch adapter. */
export class OpenGateway {
  readonly gateway: Gateway
  readonly repositories: GatewayRepositories
  readonly faults: unknown[] = []
  /** The usage records, without waiting for the batch. */
  readonly records: UsageRecord[] = []
  time: number
  readonly #handle: ReturnType<typeof fetchHandler>

  constructor({
    repositories,
    routes,
    withoutImageStore,
    withoutGroups,
    withoutPublicUrl,
    ...options
  }: OpenGatewayOptions = {}) {
    this.time = Date.UTC(2026, 0, 2, 3, 4, 5)
    const { groups, ...others } = { ...memoryGatewayRepositories(), ...repositories }
    this.repositories = { ...others, ...(groups && !withoutGroups ? { groups } : {}) }
    const now = () => new Date(this.time)
    this.gateway = createGateway({
      providers: [fakeProvider()],
      ...(withoutImageStore ? {} : { imageStore: memoryImages() }),
      now,
      onFault: (fault) => this.faults.push(fault),
      ...options,
      repositories: this.repositories,
    })
    this.gateway.events.on('request.finished', (record) => this.records.push(record))
    this.#handle = fetchHandler(
      gatewayRoutes(this.gateway, {
        admin: ({ username = 'admin', password }) => username === 'admin' && password === 'secret',
        onFault: (fault) => this.faults.push(fault),
        ...(withoutPublicUrl ? {} : { publicUrl: BASE }),
        now,
        ...routes,
      }),
    )
  }

  async key(request: Partial<NewApiKey> = {}): Promise<{ readonly secret: string; readonly key: ApiKey }> {
    const issued = await this.gateway.apiKeys.generate({ username: 'ada', rateLimit: 1_000, ...request })
    return issued._unsafeUnwrap()
  }

  async send(path: string, { method, body, as, headers, remoteAddress, signal }: RequestParts = {}): Promise<Response> {
    const authorization = as === undefined || as.includes(' ') ? as : `Bearer ${as}`
    const isStream = body instanceof ReadableStream
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array || isStream
    const content = isRaw ? body : JSON.stringify(body)
    const request = new Request(`${BASE}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...(authorization === undefined ? {} : { authorization }), ...headers },
      ...(content === undefined ? {} : { body: content as BodyInit }),
      ...(isStream ? { duplex: 'half' } : {}),
      ...(signal ? { signal } : {}),
    })
    return this.#answer(request, remoteAddress)
  }

  /** For official clients. */
  readonly fetch: typeof fetch = (input, init) => this.#answer(new Request(input, init))

  async #answer(request: Request, remoteAddress?: string): Promise<Response> {
    const response = await this.#handle(request, { remoteAddress })
    if (!response) throw new Error(`No route has ${request.url}`)
    return response
  }

  /** @param as a key's secret, or a complete Authorization header */
  client(as: string): Client<typeof gatewayContract> {
    return createClient(gatewayContract, {
      headers: { authorization: as.includes(' ') ? as : `Bearer ${as}` },
      baseUrl: BASE,
      fetch: (url, request) => this.#answer(new Request(url, request)),
    })
  }

  chat(as: string, differences: Readonly<Record<string, unknown>> = {}, parts: RequestParts = {}): Promise<Response> {
    const body = { model: 'up/big', messages: [{ role: 'user', content: 'Hello' }], ...differences }
    return this.send('/v1/chat/completions', { as, body, ...parts })
  }

  /** Returns the remaining requests of a key without counting. */
  async remaining(key: ApiKey): Promise<number> {
    return (await this.gateway.limits.inspect(key))?.remaining ?? 0
  }
}

export function openGateway(options?: OpenGatewayOptions): OpenGateway {
  const open = new OpenGateway(options)
  onTestFinished(() => open.gateway.close())
  return open
}

/** Expects an error response in the form of all errors. */
export async function expectFailure(
  response: Response,
  status: number,
  error: {
    readonly type?: string
    readonly param?: string | null
    readonly code?: string | null
    readonly message?: unknown
  },
): Promise<void> {
  const body = await response.json()
  expect({ status: response.status, body }).toMatchObject({ status, body: { error } })
  expect(Object.keys(body)).toEqual(['error'])
  expect(Object.keys(body.error).sort()).toEqual(['code', 'message', 'param', 'type'])
  expect(typeof body.error.message).toBe('string')
  expect(response.headers.get('x-request-id')).toMatch(/^[\w.:-]+$/)
}

/** Expects an error response in the form of Anthropic. */
export async function expectMessageFailure(
  response: Response,
  status: number,
  type: string,
  message: unknown = expect.any(String),
): Promise<void> {
  const requestId = response.headers.get('request-id')
  expect(requestId).toMatch(/^[\w.:-]+$/)
  expect({ status: response.status, body: await response.json() }).toEqual({
    status,
    body: { type: 'error', error: { type, message }, request_id: requestId },
  })
}

/** Waits until ended streams have their usage records. */
export const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0))
