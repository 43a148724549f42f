import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueKey } from '../replicas/requests.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { sendAlone, sendToEach } from './each-connection.ts'

describe('a server with two workers', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ args: ['--workers', '2'], environment: { TRIVIUM_SERVICES: 'gateway' } })
  }, 120_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  const models = (key: string) => ({ path: '/v1/models', headers: { authorization: `Bearer ${key}` } })

  it('admits exactly as many requests as the limit of a key, however they are spread', async () => {
    const { api_key: key } = await issueKey(server, { rate_limit: 20 })
    const answers = await Promise.all(Array.from({ length: 60 }, () => sendAlone(server, models(key))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40)
  })

  it('refuses a key on every worker as soon as its revocation is answered', async () => {
    const { api_key: key, key_id: id } = await issueKey(server, { rate_limit: 1000 })
    for (const { status } of await sendToEach(server, models(key))) expect(status).toBe(200)
    await server.ask(`/v1/auth/keys/${id}`, { method: 'DELETE' })
    for (const { status } of await sendToEach(server, models(key))) expect(status).toBe(401)
  })

  it('applies the changed rules of a key on every worker as soon as the change is answered', async () => {
    const { api_key: key, key_id: id } = await issueKey(server, { rate_limit: 1000 })
    const chat = {
      ...models(key),
      method: 'POST',
      path: '/v1/chat/completions',
      body: { model: 'local/echo-no-llm', messages: [{ role: 'user', content: 'Hello' }] },
    }
    for (const { status } of await sendToEach(server, chat)) expect(status).toBe(200)
    const policy = { models: ['local/other'] }
    expect((await server.ask(`/v1/auth/keys/${id}`, { method: 'PATCH', body: policy })).status).toBe(200)
    for (const { status } of await sendToEach(server, chat)) expect(status).not.toBe(200)
  })

  it('counts wrong passwords of an address over all workers together', async () => {
    const localAddress = '127.0.0.9'
    const guess = (password: string) =>
      sendAlone(server, { path: '/v1/auth/keys', headers: { authorization: `Bearer ${password}` }, localAddress })
    const statuses: number[] = []
    for (let index = 0; index < 8; index += 1) statuses.push((await guess(`wrong-${index}`)).status)
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(3).fill(429)])
  })

  it('counts the requests of all workers in /metrics', async () => {
    const counted = async () => {
      const text = await (await server.ask('/metrics')).text()
      const lines = text.split('\n').filter((line) => line.startsWith('trivium_gateway_requests_total{'))
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
    }
    const { api_key: key } = await issueKey(server, { rate_limit: 1000 })
    const before = await counted()
    const body = { model: 'local/echo-no-llm', messages: [{ role: 'user', content: 'Hello' }] }
    await sendToEach(server, { ...models(key), method: 'POST', path: '/v1/chat/completions', body })
    await expect.poll(counted).toBe(before + 6)
  })
})
