import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { fetchHandler } from '@trivium/fetch-adapter'
import { fetchSockets, isRewritten } from '@trivium/fetch-adapter/node'
import { pathMatcher, pathRoutes } from '@trivium/http-contract'
import { pathOf } from '@trivium/http-contract/node'
import type { Transport } from './transport.ts'
import { badPath, notFound, notFoundAt } from './unrouted-replies.ts'

export const serveFetch: Transport = async ({ routes, sockets }, hosting) => {
  const handle = fetchHandler(routes)
  const answer = getRequestListener(
    async (request, bindings) => {
      // Over HTTP/1 the bindings are Node's own request and response.
      const { incoming } = bindings as HttpBindings
      const { addressOf, isFromProxy } = hosting.proxies
      const response = await handle(request, {
        remoteAddress: addressOf(incoming),
        isFromProxy: isFromProxy(incoming),
      })
      if (response) return response
      const { status, body } = notFoundAt(new URL(request.url).pathname)
      return Response.json(body, { status })
    },
    {
      overrideGlobalObjects: false,
      // HTTP/1.0 needs no `Host`.
      hostname: 'localhost',
    },
  )
  const match = pathMatcher(pathRoutes(routes))
  const { unrouted } = hosting
  const server = hosting.createServer((request, response) => {
    if (unrouted && !match(pathOf(request.url))) return unrouted(request, response)
    if (request.url !== '*' && !isRewritten(request.url)) return void answer(request, response)
    // `OPTIONS *` has no path.
    const { status, body } = request.url === '*' ? notFound : badPath
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  return { server, mounts: [handle, await fetchSockets(server, sockets, hosting.sockets)] }
}
