import type { RequestHandler } from '@sveltejs/kit'
import { fetchHandler } from '@trivium/fetch-adapter'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { gateway } from '../../../gateway.ts'

const handle = fetchHandler(gatewayRoutes(gateway), { prefix: '/ai' })

/** Handles every method: the contract itself answers OPTIONS and HEAD, and 405. Wrong passwords are counted by the address. */
export const fallback: RequestHandler = async ({ request, getClientAddress }) =>
  (await handle(request, { remoteAddress: getClientAddress() })) ?? new Response('Not found', { status: 404 })

export const GET = fallback
export const HEAD = fallback
