import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { anthropicProvider } from '@trivium/anthropic-provider'
import { expressRoutes } from '@trivium/express-adapter'
import { fastifyRoutes } from '@trivium/fastify-adapter'
import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import type { GatewayRepositories } from '@trivium/gateway-core/ports'
import { openAiProvider } from '@trivium/openai-provider'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
import express from 'express'
import fastify from 'fastify'
import { listen } from './listen.ts'

const { BENCHMARK_UPSTREAM: upstream = '', BENCHMARK_ADMIN: password = '' } = process.env
const [framework, databaseUrl = ''] = process.argv.slice(2)

/** The gateway in a host application, with keys, exact limits, usage and metrics. */
const gateway = createGateway({
  repositories: databaseUrl === 'memory:' ? memoryGatewayRepositories() : await sqlRepositories(databaseUrl),
  providers: [
    openAiProvider({ baseUrl: `${upstream}/v1`, models: ['mock-1', 'mock-spaced'] }),
    openAiProvider({ id: 'responses', baseUrl: `${upstream}/v1`, models: ['mock-1'], dialects: ['responses'] }),
    anthropicProvider({ id: 'messages', baseUrl: upstream, models: ['mock-1'] }),
  ],
  onFault: (error) => console.error(error),
})
const routes = gatewayRoutes(gateway, { admin: (presented) => presented.password === password })

if (framework === 'express') await listen(createServer(express().use(expressRoutes(routes))))
else if (framework === 'fetch') {
  const handle = fetchHandler(routes)
  const answer = async (request: Request) => (await handle(request)) ?? new Response(null, { status: 404 })
  await listen(createServer(getRequestListener(answer, { overrideGlobalObjects: false })))
} else {
  const host = fastify()
  host.register(fastifyRoutes(routes))
  await host.ready()
  await listen(host.server)
}

async function sqlRepositories(url: string): Promise<GatewayRepositories> {
  const database = await openDatabase(url)
  await migrateGateway(database)
  return sqlGatewayRepositories(database)
}
