import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Script } from './script.ts'

/** A request as an upstream received it. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** The parsed body; `undefined` without JSON. */
  readonly body: unknown
}

export interface Exchange {
  readonly received: Received
  readonly response: ServerResponse
  readonly script: Script
}

/** Answers the requests of one path. A thrown {@link Refusal} becomes the upstream's error. */
export type Operation = (exchange: Exchange) => void | Promise<void>

/** What an upstream answers to a request that its protocol does not allow. */
export class Refusal extends Error {
  readonly status: number
  /** Whether the gateway sends the request again in another form. */
  readonly isExpected: boolean
  constructor(message: string, status = 400, isExpected = false) {
    super(message)
    this.status = status
    this.isExpected = isExpected
  }
}

export interface Upstream {
  readonly url: string
  readonly script: Script
  readonly requests: readonly Received[]
  /** The messages of all requests that were refused. */
  readonly refusals: readonly string[]
  /** Forgets requests and refusals. */
  clear(): void
  close(): Promise<void>
}

/** Where the recorded requests of an upstream are read and forgotten, by checks in another process. */
const RECORD = '/recorded'

/**
 * Starts an upstream on loopback. Paths are `METHOD /path`, and a trailing `*` stands for a rest. Others are a 404.
 *
 * @param errorBody the shape of an error in the upstream's protocol
 */
export async function startUpstream(
  operations: Readonly<Record<string, Operation>>,
  errorBody: (status: number, message: string) => object,
): Promise<Upstream> {
  const script = new Script()
  const requests: Received[] = []
  const refusals: string[] = []
  const clear = () => {
    requests.length = 0
    refusals.length = 0
  }
  const fail = (response: ServerResponse, status: number, message: string) => {
    if (response.headersSent) return response.destroy()
    sendJson(response, errorBody(status, message), status)
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const received = await receivedOf(request)
    if (received.path === RECORD) {
      sendJson(response, { refusals, requests: requests.map(({ path, headers, body }) => ({ path, headers, body })) })
      if (received.method === 'DELETE') clear()
      return
    }
    requests.push(received)
    const operation = operationOf(operations, `${received.method} ${received.path}`)
    if (operation === undefined) return fail(response, 404, `Unknown request URL: ${received.method} ${received.path}`)
    try {
      await operation({ received, response, script })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (!(error instanceof Refusal && error.isExpected)) refusals.push(`${received.path}: ${message}`)
      fail(response, error instanceof Refusal ? error.status : 500, message)
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    script,
    requests,
    refusals,
    clear,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the upstream has no port')
  return address.port
}

function operationOf(operations: Readonly<Record<string, Operation>>, key: string): Operation | undefined {
  const [, found] =
    Object.entries(operations).find(([name]) =>
      name.endsWith('*') ? key.startsWith(name.slice(0, -1)) : name === key,
    ) ?? []
  return found
}

async function receivedOf(request: IncomingMessage): Promise<Received> {
  const bytes = await buffer(request)
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const isJson = request.headers['content-type']?.startsWith('application/json') === true && bytes.length > 0
  const body: unknown = isJson ? JSON.parse(bytes.toString()) : undefined
  return { method: request.method ?? '', path, query, headers: request.headers, bytes, body }
}

export function sendJson(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** Writes server-sent events, named by their `type` where they have one. */
export function sendEvents(response: ServerResponse, events: readonly object[], end = ''): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    const name = 'type' in event ? `event: ${event.type}\n` : ''
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
  }
  response.end(end)
}
