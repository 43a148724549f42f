import { Readable } from 'node:stream'
import { type FetchHost, fetchHandler } from '@trivium/fetch-adapter'
import { isRewritten } from '@trivium/fetch-adapter/node'
import type { Closable, Route } from '@trivium/http-contract'
import { closeSignal } from '@trivium/http-contract/node'
import type { Context, Middleware } from 'koa'

/** Serves routes under a prefix of a Koa application. A body that koa-bodyparser has read is passed on as it was sent. */
export function koaRoutes(prefix: string, routes: readonly Route<FetchHost<Context>>[]): Middleware & Closable {
  const handle = fetchHandler<Context>(routes, { prefix })
  const middleware: Middleware = async (context, next) => {
    if (!context.path.startsWith(`${prefix}/`)) return next()
    if (isRewritten(context.url)) context.throw(400)
    const response = await handle(toRequest(context), { remoteAddress: context.ip, context })
    if (!response) return next()
    context.status = response.status
    context.set(Object.fromEntries(response.headers))
    if (response.body) context.body = Readable.fromWeb(response.body)
  }
  return Object.assign(middleware, { close: handle.close })
}

function toRequest({ req, res, request, href, method }: Context): Request {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(req.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  const body = method === 'GET' || method === 'HEAD' ? null : (request.rawBody ?? Readable.toWeb(req))
  return new Request(href, { method, headers, body, duplex: 'half', signal: closeSignal(req, res) })
}
