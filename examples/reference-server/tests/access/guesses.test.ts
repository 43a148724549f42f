import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_PASSWORD, type ServerProcess, startServer } from '../server-process.ts'
import { type PlainResponse, send } from './send.ts'
import { upgradeAt } from './upgrade-at.ts'

const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}` })
const right = basic(ADMIN_PASSWORD)

/** A path of each part of the server that accepts the admin password. */
const paths = ['/v1/auth/keys', '/v1/models', '/v1/projects', '/api/cluster', '/metrics', '/console/api/host']
const absent = '00000000-0000-4000-8000-000000000000'
const socket = `/v1/projects/${absent}/emu3/vms/${absent}/console/ws`

describe.each(['fastify', 'express', 'fetch'] as const)('the server over %s', (transport) => {
  let server: ServerProcess
  let source = 1

  beforeAll(async () => {
    server = await startServer({ transport, environment: { TRIVIUM_TRUST_PROXY: '127.0.9.0/24' } })
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  /** An address that has not been used yet. */
  const newSource = () => {
    source += 1
    return `127.0.1.${source}`
  }
  const get = (path: string, headers: Readonly<Record<string, string>>, localAddress: string) =>
    send(server.url, { method: 'GET', path, headers, localAddress })
  const statuses = (answers: readonly PlainResponse[]) => answers.map(({ status }) => status)

  async function guess(times: number, localAddress: string): Promise<readonly PlainResponse[]> {
    const answers: PlainResponse[] = []
    for (let index = 0; index < times; index += 1) {
      answers.push(await get(paths[index % paths.length] ?? '', basic(`guess ${index}`), localAddress))
    }
    return answers
  }

  it('checks five wrong passwords of an address, over all routes together, and then refuses every password for a while', async () => {
    const address = newSource()
    const answers = await guess(12, address)
    expect(statuses(answers)).toEqual([...Array(5).fill(401), ...Array(7).fill(429)])
    expect(answers.slice(5).map(({ headers }) => headers['retry-after'])).toEqual(Array(7).fill('1'))
    for (const path of paths) expect((await get(path, right, address)).status, path).toBe(429)
    expect(await upgradeAt(server.url, socket, right, address)).toBe(429)
  })

  it('counts wrong passwords of WebSockets and of Bearer tokens together', async () => {
    const address = newSource()
    for (let index = 0; index < 3; index += 1) await upgradeAt(server.url, socket, basic(`wrong ${index}`), address)
    for (let index = 0; index < 2; index += 1) {
      await get('/v1/models', { authorization: `Bearer wrong-${index}` }, address)
    }
    expect((await get('/api/cluster', right, address)).status).toBe(429)
  })

  it('accepts the right password from the address of a program that repeats an old password and an old key', async () => {
    const address = newSource()
    for (let index = 0; index < 200; index += 1) {
      const headers = index % 2 === 0 ? basic('old') : { authorization: 'Bearer sk-old' }
      expect((await get(paths[index % paths.length] ?? '', headers, address)).status).toBe(401)
    }
    for (const path of paths) expect((await get(path, right, address)).status, path).toBe(200)
  })

  it('accepts the right password from another address during a flood of wrong ones', async () => {
    const address = newSource()
    let isOver = false
    const flood = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) await guess(6, address)
      }),
    )
    try {
      for (const path of paths) expect((await get(path, right, newSource())).status, path).toBe(200)
      expect(await upgradeAt(server.url, socket, right, newSource())).toBe(404)
    } finally {
      isOver = true
      await flood
    }
  })

  it('uses the x-forwarded-for of a trusted proxy only', async () => {
    const [attacker, owner, untrustedClient] = [newSource(), newSource(), newSource()]
    for (let index = 0; index < 5; index += 1) {
      await get('/v1/projects', { ...basic(`${index}`), 'x-forwarded-for': attacker }, '127.0.9.1')
      await get('/v1/projects', { ...basic(`${index}`), 'x-forwarded-for': `10.0.0.${index}` }, untrustedClient)
    }
    const asked = (headers: Readonly<Record<string, string>>, from: string) => get('/v1/projects', headers, from)
    expect((await asked({ ...right, 'x-forwarded-for': owner }, '127.0.9.1')).status).toBe(200)
    expect((await asked({ ...right, 'x-forwarded-for': `10.0.0.9, ${attacker}` }, '127.0.9.1')).status).toBe(429)
    expect((await asked({ ...right, 'x-forwarded-for': '10.0.0.9' }, untrustedClient)).status).toBe(429)
    expect(await upgradeAt(server.url, socket, { ...right, 'x-forwarded-for': attacker }, '127.0.9.1')).toBe(429)
  })

  it('counts refusals by reason', async () => {
    const address = newSource()
    await guess(6, address)
    await get('/v1/models', { authorization: `Bearer tvm_${'a'.repeat(43)}` }, address)
    await get('/v1/models', { host: 'evil.example' }, address)
    await get('/v1/projects', { ...right, 'sec-fetch-site': 'cross-site' }, address)
    const { text } = await get('/metrics', right, newSource())
    for (const reason of ['wrong_password', 'too_many_guesses', 'wrong_key', 'foreign_origin', 'cross_site']) {
      expect(text).toMatch(new RegExp(`^trivium_refused_requests_total\\{reason="${reason}"\\} [1-9]`, 'm'))
    }
  })
})
