import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { afterEach } from 'vitest'
import { createProbe } from './probe.ts'
import type { ProbeControl } from './probe-control.ts'
import { openRaw, type RawConnection } from './raw-connection.ts'
import { remoteProbe } from './remote-probe.ts'
import type { Transport } from './transport.ts'

export interface HostUnderTest {
  readonly port: number
  readonly prefix: string
  readonly probe: ProbeControl
  /** Sends a whole request with Node's own client, which does not normalise paths. */
  request(method: string, path: string, options?: RequestOptions): Promise<ClientResponse>
  /** Opens a connection that is closed at the end of the test. */
  raw(): Promise<RawConnection>
  /** Stops the host. */
  close(): Promise<unknown>
}

export interface HostOptions {
  /** @default 0 */
  readonly graceSeconds?: number
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The local address of the connection; on Linux all of 127.0.0.0/8 is this machine. */
  readonly localAddress?: string
}

export interface ClientResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export type Serve = Transport['serve']

/** Starts a host for one test, and closes it after the test. */
export type StartHost = (options?: HostOptions) => Promise<HostUnderTest>

const PREFIX = '/under/a/prefix'

export function hostStarter(serve: Serve): StartHost {
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  return async ({ graceSeconds = 0 } = {}) => {
    const { routes, sockets, control } = createProbe()
    const { port, close, probe } = await serve({ prefix: PREFIX, routes, sockets, graceSeconds })
    cleanups.push(close)
    return {
      port,
      prefix: PREFIX,
      probe: probe ? remoteProbe(probe) : control,
      close,
      request: (method, path, options) => send(port, method, `${PREFIX}${path}`, options),
      raw: async () => {
        const connection = await openRaw(port)
        cleanups.push(connection.close)
        return connection
      },
    }
  }
}

export async function send(
  port: number,
  method: string,
  path: string,
  { headers = {}, body, localAddress }: RequestOptions = {},
): Promise<ClientResponse> {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const outgoing = request({
    port,
    host: '127.0.0.1',
    method,
    path,
    headers: { ...length, ...headers },
    agent: false,
    ...(localAddress !== undefined && { localAddress }),
  })
  outgoing.end(body)
  const [incoming] = await once(outgoing, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return { status: incoming.statusCode, headers: incoming.headers, text: Buffer.concat(chunks).toString() }
}
