import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServer } from '../server-process.ts'
import { type MountedRoute, mountedRoutes } from './mounted-routes.ts'
import { foreignHeaders, type Headers, isForeign, isOpen, isRefusal, unexpectedAnswers } from './try-routes.ts'

// The other tests here cover Fastify.
describe.each(['express', 'fetch'] as const)('the server over %s', (transport) => {
  let server: ServerProcess
  let routes: readonly MountedRoute[]

  beforeAll(async () => {
    server = await startServer({ transport, environment: { TRIVIUM_GNS3_NAMES: '1' } })
    routes = await mountedRoutes(server.url)
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it.each<readonly [string, (admin: string) => Headers]>([
    ['no credentials', () => ({})],
    ['wrong credentials', () => ({ authorization: 'Bearer wrong' })],
    ['an unknown key', () => ({ authorization: `Bearer tvm_${'a'.repeat(43)}` })],
    ['right credentials after wrong ones', (admin) => ({ authorization: ['Bearer x', admin] })],
  ])('refuses %s on every closed route, and answers on every open one', async (_, headers) => {
    const tried = { origin: server.url, routes, headers: headers(server.admin) }
    expect(await unexpectedAnswers({ ...tried, access: ['key', 'admin'], isRight: isRefusal })).toEqual([])
    expect(await unexpectedAnswers({ ...tried, access: ['open'], isRight: isOpen })).toEqual([])
  })

  it.each(foreignHeaders)('refuses the admin from a page %s on every route', async (_, headers) => {
    const tried = { origin: server.url, routes, headers: { authorization: server.admin, ...headers } }
    expect(await unexpectedAnswers({ ...tried, access: ['open', 'key', 'admin'], isRight: isForeign })).toEqual([])
  })
})
