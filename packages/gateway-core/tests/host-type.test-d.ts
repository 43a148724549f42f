import { expressRoutes } from '@trivium/express-adapter'
import { fastifyRoutes } from '@trivium/fastify-adapter'
import { fetchHandler } from '@trivium/fetch-adapter'
import type { Gateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import type { AccessRequest } from '@trivium/http-contract'
import type { Request as ExpressRequest } from 'express'
import type { FastifyRequest } from 'fastify'

declare const gateway: Gateway

// `host` has the type of the request of the transport that the routes are mounted in.
expressRoutes(gatewayRoutes(gateway, { authorize: { '*': ({ host }) => (host.secure ? 'default' : undefined) } }))
fastifyRoutes(gatewayRoutes(gateway, { authorize: { '*': ({ host }) => ({ type: 'user', id: host.hostname }) } }))
fetchHandler<{ readonly user: string }>(
  gatewayRoutes(gateway, {
    authorize: { '*': ({ host }) => (host.context ? { type: 'user', id: host.context.user } : 'default') },
  }),
)

const ofFastify = ({ host }: AccessRequest<FastifyRequest>) => ({ type: 'user', id: host.id }) as const
fastifyRoutes(gatewayRoutes(gateway, { authorize: { '*': ofFastify } }))
// @ts-expect-error: the rule needs the request of Fastify
expressRoutes(gatewayRoutes(gateway, { authorize: { '*': ofFastify } }))

const ofExpress = ({ host }: AccessRequest<ExpressRequest>) => ({ status: 403, message: host.originalUrl }) as const
expressRoutes(gatewayRoutes(gateway, { authorize: { generateKey: ofExpress, listModels: 'default', '*': 'open' } }))

// A rule that does not use the host can be mounted anywhere.
const routes = gatewayRoutes(gateway, { authorize: { '*': ({ headers }) => (headers.cookie ? 'default' : undefined) } })
expressRoutes(routes)
fastifyRoutes(routes)
fetchHandler(routes)
