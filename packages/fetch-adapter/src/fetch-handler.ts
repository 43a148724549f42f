import { nameValues, pathMatcher, pathRoutes, type Route } from '@trivium/http-contract'
import { FetchExchange } from './fetch-exchange.ts'
import { toResponse } from './to-response.ts'

/** Where the routes are served. */
export interface FetchHandlerOptions {
  /** What goes before every path: `/netapp`. @default none */
  readonly prefix?: string
}

/** What a host knows of a request that the request itself does not say. */
export interface FetchPeer {
  /**
   * Who asks: the address of the connection, or what a trusted proxy says of it. Wrong admin passwords are counted by it.
   *
   * @default unknown: wrong passwords slow all callers alike
   */
  readonly remoteAddress?: string | undefined
}

/** Answers `undefined` to a request whose path no route has: the host's own routes come next. */
export type FetchHandler = (request: Request, peer?: FetchPeer) => Promise<Response | undefined>

/**
 * Serves the routes to anything that speaks web-standard requests: Hono, Next.js, Bun, Deno, workers, tests. Pass the
 * caller's address where the host knows it: guesses at passwords are counted by it.
 *
 * @example
 * ```ts
 * import { getConnInfo } from '@hono/node-server/conninfo'
 * import { fetchHandler } from '@trivium/fetch-adapter'
 * import type { Route } from '@trivium/http-contract'
 * import { Hono } from 'hono'
 *
 * declare const routes: readonly Route[]
 *
 * const handle = fetchHandler(routes, { prefix: '/ai' })
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

/** The path and the query of an absolute url, as they were sent: `URL` would rewrite both. */
function partsOf(url: string): { readonly path: string; readonly query: string } {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return { path: '/', query: '' }
  const fragment = url.indexOf('#', start)
  const end = fragment < 0 ? url.length : fragment
  const question = url.indexOf('?', start)
  if (question < 0 || question > end) return { path: url.slice(start, end), query: '' }
  return { path: url.slice(start, question), query: url.slice(question + 1, end) }
}
