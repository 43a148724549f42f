import { getRequestListener } from '@hono/node-server'
import { fetchHandler } from '@trivium/fetch-adapter'
import { fetchSockets } from '@trivium/fetch-adapter/node'
import type { Transport } from './transport.ts'
import { notFound } from './unserved.ts'

export const serveFetch: Transport = async ({ routes, sockets }, createServer) => {
  const handle = fetchHandler(routes)
  const answer = getRequestListener(
    async (request) => (await handle(request)) ?? Response.json(notFound.body, { status: notFound.status }),
    {
      overrideGlobalObjects: false,
    },
  )
  const server = createServer((request, response) => void answer(request, response))
  const attached = await fetchSockets(server, sockets)
  return { server, close: async () => attached.close() }
}
