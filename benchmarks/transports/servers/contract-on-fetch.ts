import { getRequestListener } from '@hono/node-server'
import { fetchHandler } from '@trivium/fetch-adapter'
import { routes } from '../contract-routes.ts'
import { listen } from './listen.ts'

export function start(): Promise<number> {
  const handle = fetchHandler(routes)
  const answer = async (request: Request) => (await handle(request)) ?? new Response(null, { status: 404 })
  return listen(getRequestListener(answer, { overrideGlobalObjects: false }))
}
