import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServer } from '../server-process.ts'
import { send } from './send.ts'

const environment = { TRIVIUM_TRUST_PROXY: '127.0.9.0/24', TRIVIUM_USER_HEADER: 'X-Forwarded-User' }

describe.each([
  ['fastify', []],
  ['express', []],
  ['fetch', []],
  ['fastify', ['--workers', '2']],
] as const)('a server over %s %j that trusts a header of its proxy', (transport, args) => {
  let server: ServerProcess

  beforeAll(async () => {
    server = await startServer({ transport, environment, args })
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  const ask = async (
    headers: Readonly<Record<string, string | string[]>>,
    localAddress: string,
    path = '/api/self/quotas',
  ) => {
    const { status, text } = await send(server.url, { method: 'GET', path, headers, localAddress })
    return { status, body: JSON.parse(text) }
  }
  const proxy = '127.0.9.1'

  it('answers the user that the proxy names, by name or by number', async () => {
    expect(await ask({ 'x-forwarded-user': 'ada' }, proxy)).toMatchObject({
      status: 200,
      body: { user: { name: 'ada' } },
    })
    expect(await ask({ 'X-Forwarded-User': '1001' }, proxy)).toMatchObject({
      status: 200,
      body: { user: { id: '1001' } },
    })
    const zoe = Buffer.from('zo\u00eb').toString('latin1')
    expect((await ask({ 'x-forwarded-user': zoe }, proxy)).body.user).toEqual({ name: 'zo\u00eb' })
  })

  it('ignores the header of every other client', async () => {
    for (const name of ['x-forwarded-user', 'X-FORWARDED-USER'])
      expect((await ask({ [name]: 'ada' }, '127.0.1.1')).status).toBe(401)
    expect((await ask({ 'x-forwarded-user': 'ada', 'x-forwarded-for': '127.0.9.1' }, '127.0.1.1')).status).toBe(401)
    expect((await ask({ 'x-forwarded-user': ['ada', 'eve'] }, '127.0.1.1')).status).toBe(401)
  })

  it('admits no one by a header that is empty, repeated, too long or not UTF-8', async () => {
    const wrong = ['', ['eve', 'ada'], 'x'.repeat(129), 'a,b', '\xff']
    for (const value of wrong) expect((await ask({ 'x-forwarded-user': value }, proxy)).status).toBe(401)
    expect((await ask({}, proxy)).status).toBe(401)
  })

  it('gives the user nothing but the own quotas', async () => {
    for (const path of ['/api/self/tokens', '/api/storage/volumes', '/v1/projects', '/v1/auth/keys', '/metrics'])
      expect([path, (await ask({ 'x-forwarded-user': 'ada' }, proxy, path)).status]).toEqual([path, 401])
    expect((await ask({ 'x-forwarded-user': 'ada' }, proxy, '/api/self/quotas?user=eve')).status).toBe(403)
  })

  it('lets the admin and tokens in as ever', async () => {
    const made = await server.ask('/api/self/tokens', { method: 'POST', body: { user: { name: 'grace' } } })
    const { records } = await made.json()
    const bearer = { authorization: `Bearer ${records[0].token}` }
    expect((await ask(bearer, '127.0.1.1')).body.user).toEqual({ name: 'grace' })
    expect((await (await server.ask('/api/self/quotas?user=ada')).json()).user).toEqual({ name: 'ada' })
  })
})

it.each([
  [{ TRIVIUM_USER_HEADER: 'x-user' }, 'TRIVIUM_USER_HEADER needs TRIVIUM_TRUST_PROXY'],
  [{ ...environment, TRIVIUM_USER_HEADER: 'authorization' }, 'must be the name of a header'],
  [{ ...environment, TRIVIUM_USER_HEADER: 'x user' }, 'must be the name of a header'],
])('a server with %j does not start', async (settings, message) => {
  await expect(startServer({ environment: settings })).rejects.toThrow(message)
})
