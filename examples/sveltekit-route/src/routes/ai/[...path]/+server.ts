import type { RequestHandler } from '@sveltejs/kit'
import { fetchHandler } from '@trivium/fetch-adapter'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { gateway } from '../../../gateway.ts'

const handle = fetchHandler(gatewayRoutes(gateway), { prefix: '/ai' })

/** Every method: the contract answers 405 itself, and OPTIONS and HEAD. Guesses at passwords are counted by the address. */
export const fallback: RequestHandler = async ({ request, getClientAddress }) =>
  (await handle(request, { remoteAddress: getClientAddress() })) ?? new Response('Not found', { status: 404 })

export const GET = fallback
export const HEAD = fallback
