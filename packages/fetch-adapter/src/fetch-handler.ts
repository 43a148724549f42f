import {
  type Closable,
  checkOptions,
  createMountLifetime,
  nameValues,
  pathMatcher,
  pathPrefix,
  pathRoutes,
  type Reply,
  type Route,
} from '@trivium/http-contract'
import { FetchExchange, type Mounted } from './fetch-exchange.ts'
import type { FetchHost, FetchPeer } from './fetch-host.ts'
import { type RunningAnswer, toResponse } from './to-response.ts'

/** Options of {@link fetchHandler}. */
export interface FetchHandlerOptions {
  /** The prefix of every path, such as `/netapp`. `netapp` and `/netapp/` are the same. @default none */
  readonly prefix?: string
}

/**
 * Answers a request, until `close` ends what it has begun. Resolves with `undefined` if no route has the path, so that
 * the host can try its own routes. A method that the path does not have is refused. The path is matched as the
 * `Request` has it, which may have rewritten it: see `isRewritten` of `@trivium/fetch-adapter/node`.
 */
export interface FetchHandler<Context = unknown> extends Closable {
  (request: Request, peer?: FetchPeer<Context>): Promise<Response | undefined>
}

/**
 * Serves the routes to any host with web-standard requests: Hono, Next.js, Bun, Deno, workers, tests. Pass the caller's
 * address if the host knows it, because wrong passwords are counted for each address.
 *
 * @throws TypeError as {@link pathRoutes} does, and if the prefix is not a path or an option does not exist
 *
 * @example
 * ```ts
 * import { getConnInfo } from '@hono/node-server/conninfo'
 * import { fetchHandler } from '@trivium/fetch-adapter'
 * import { createGateway } from '@trivium/gateway-core'
 * import { gatewayRoutes } from '@trivium/gateway-core/http'
 * import { localProvider } from '@trivium/local-provider'
 * import { Hono } from 'hono'
 *
 * const gateway = createGateway({ providers: [localProvider()] })
 * const handle = fetchHandler(gatewayRoutes(gateway), { prefix: '/ai' })
 * const app = new Hono()
 * app.all('/ai/*', async (context) => {
 *   const { address: remoteAddress } = getConnInfo(context).remote
 *   return (await handle(context.req.raw, { remoteAddress })) ?? context.notFound()
 * })
 * ```
 */
export function fetchHandler<Context = unknown>(
  routes: readonly Route<FetchHost<Context>>[],
  options: FetchHandlerOptions = {},
): FetchHandler<Context> {
  checkOptions('fetchHandler', options, { prefix: true })
  const prefix = pathPrefix(options.prefix)
  const match = pathMatcher(pathRoutes(routes))
  const lifetime = createMountLifetime<RunningAnswer>({
    announce: () => undefined,
    cut: (answer) => answer.cut(),
  })
  const { closing, begin, end, close } = lifetime
  const mounted: Mounted = { prefix, closing }
  const answer = async (request: Request, peer: FetchPeer<Context> = {}): Promise<Response | undefined> => {
    const { path, query } = partsOf(request.url)
    if (!path.startsWith(prefix)) return undefined
    const found = match(path.slice(prefix.length))
    if (!found) return undefined
    const { handle, template, fail } = found.item.method(request.method)
    const exchange = new FetchExchange(request, nameValues(template, found.values), query, peer, mounted)
    // The host cuts the connection of a request without an answer.
    const pending: RunningAnswer = { cut: () => undefined }
    begin(pending)
    try {
      const reply = await handle(exchange)
      return toResponse(closing.aborted ? closingConnection(reply) : reply, request.method, {
        fail: (error) => fail(error, exchange.mount),
        lifetime,
        signal: exchange.signal,
      })
    } finally {
      end(pending)
    }
  }
  return Object.assign(answer, { close })
}

/** Lets the server close the connection after the reply. */
const closingConnection = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, connection: 'close' } })

/** The path and the query of a URL as they were sent. `URL` would rewrite both. */
function partsOf(url: string): { readonly path: string; readonly query: string } {
  // Bun gives the path alone to a request without a `host` header.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return { path: '/', query: '' }
  const fragment = url.indexOf('#', start)
  const end = fragment < 0 ? url.length : fragment
  const question = url.indexOf('?', start)
  if (question < 0 || question > end) return { path: url.slice(start, end), query: '' }
  return { path: url.slice(start, question), query: url.slice(question + 1, end) }
}
