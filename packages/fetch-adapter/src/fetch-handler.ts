import { nameValues, pathMatcher, pathRoutes, type Route } from '@trivium/http-contract'
import { FetchExchange } from './fetch-exchange.ts'
import { toResponse } from './to-response.ts'

/** Options of {@link fetchHandler}. */
export interface FetchHandlerOptions {
  /** The prefix of every path, such as `/netapp`. @default none */
  readonly prefix?: string
}

/** Information about a request that the `Request` does not contain. */
export interface FetchPeer {
  /**
   * The address of the client: that of the connection, or the one that a trusted proxy reports. Wrong admin passwords
   * are counted for each address.
   *
   * @default unknown: wrong passwords delay all callers
   */
  readonly remoteAddress?: string | undefined
}

/**
 * Answers a request. Resolves with `undefined` if no route has the path, so that the host can try its own routes. A
 * method that the path does not have is refused. The path is matched as the `Request` has it, which may have rewritten
 * it: see `isRewritten` of `@trivium/fetch-adapter/node`.
 */
export type FetchHandler = (request: Request, peer?: FetchPeer) => Promise<Response | undefined>

/**
 * Serves the routes to any host with web-standard requests: Hono, Next.js, Bun, Deno, workers, tests. Pass the caller's
 * address if the host knows it, because wrong passwords are counted for each address.
 *
 * @throws TypeError as {@link pathRoutes} does
 *
 * @example
 * ```ts
 * import { getConnInfo } from '@hono/node-server/conninfo'
 * import { fetchHandler } from '@trivium/fetch-adapter'
 * import { createGateway } from '@trivium/gateway-core'
 * import { gatewayRoutes } from '@trivium/gateway-core/http'
 * import { localProvider } from '@trivium/local-provider'
 * import { memoryGatewayRepositories } from '@trivium/memory-repositories/gateway'
 * import { Hono } from 'hono'
 *
 * const gateway = createGateway({ repositories: memoryGatewayRepositories(), providers: [localProvider()] })
 * const handle = fetchHandler(gatewayRoutes(gateway), { prefix: '/ai' })
 * const app = new Hono()
 * app.all('/ai/*', async (context) => {
 *   const { address: remoteAddress } = getConnInfo(context).remote
 *   return (await handle(context.req.raw, { remoteAddress })) ?? context.notFound()
 * })
 * ```
 */
export function fetchHandler(routes: readonly Route[], { prefix = '' }: FetchHandlerOptions = {}): FetchHandler {
  const match = pathMatcher(pathRoutes(routes))
  return async (request, { remoteAddress } = {}) => {
    const { path, query } = partsOf(request.url)
    if (!path.startsWith(prefix)) return undefined
    const found = match(path.slice(prefix.length))
    if (!found) return undefined
    const { handle, template, fail } = found.item.method(request.method)
    const reply = await handle(new FetchExchange(request, nameValues(template, found.values), query, remoteAddress))
    return toResponse(reply, request.method, fail)
  }
}

/** The path and the query of an absolute URL as they were sent. `URL` would rewrite both. */
function partsOf(url: string): { readonly path: string; readonly query: string } {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return { path: '/', query: '' }
  const fragment = url.indexOf('#', start)
  const end = fragment < 0 ? url.length : fragment
  const question = url.indexOf('?', start)
  if (question < 0 || question > end) return { path: url.slice(start, end), query: '' }
  return { path: url.slice(start, question), query: url.slice(question + 1, end) }
}
