import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ADMIN, expectFailure, openGateway } from './open-gateway.ts'

describe('rate limit of a key', () => {
  it('admits exactly 10 of 40 simultaneous requests, and another one after 60 seconds', async () => {
    const open = openGateway()
    const { secret } = await open.key({ rateLimit: 10 })
    const answers = await Promise.all(Array.from({ length: 40 }, () => open.chat(secret)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
    expect(open.records).toHaveLength(10)
    open.time += 59_999
    expect((await open.chat(secret)).status).toBe(429)
    open.time += 1
    expect((await open.chat(secret)).status).toBe(200)
  })

  it('appears in both families of headers, on answers and on refusals', async () => {
    const open = openGateway()
    const { secret } = await open.key({ rateLimit: 2 })
    const first = await open.chat(secret)
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
      'x-ratelimit-reset': '2026-01-02T03:05:05.000Z',
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '1',
      'x-ratelimit-reset-requests': '1m0s',
    })
    expect(first.headers.has('retry-after')).toBe(false)
    open.time += 500
    const second = await open.send('/v1/models', { as: secret })
    expect(second.headers.get('x-ratelimit-reset-requests')).toBe('59.5s')
    open.time += 59_400
    const refused = await open.chat(secret, { stream: true })
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset-requests': '100ms',
      'retry-after': '1',
      'retry-after-ms': '100',
    })
    await expectFailure(refused, 429, { type: 'requests', param: null, code: 'rate_limit_exceeded' })
  })

  it('counts all kinds of valid requests, but neither invalid ones nor validations', async () => {
    const open = openGateway()
    const { secret, key } = await open.key({ rateLimit: 100 })
    const bad = [
      () => open.chat(secret, { temperature: 5 }),
      () => open.chat(secret, { model: 'none' }),
      () => open.send('/v1/chat/completions', { as: secret, body: '{' }),
      () => open.send('/v1/images/generations', { as: secret, body: { prompt: '' } }),
      () => open.send('/search?q=', { as: secret }),
      () => open.send('/v1/models/none', { as: secret }),
      () => open.send('/v1/auth/validate', { as: secret }),
      () => open.send('/v1/auth/keys', { as: secret }),
    ]
    for (const send of bad) await send()
    expect(await open.remaining(key)).toBe(100)
    const good = [
      () => open.chat(secret),
      () => open.send('/v1/models', { as: secret }),
      () => open.send('/v1/models/up/big', { as: secret }),
      () => open.send('/v1/TTI/models', { as: secret }),
    ]
    for (const send of good) expect((await send()).status).toBe(200)
    expect(await open.remaining(key)).toBe(96)
    for (const path of ['/v1/usage', '/v1/auth/me']) {
      expect((await open.send(path, { as: secret })).status).toBe(200)
    }
    expect(await open.remaining(key)).toBe(96)
  })

  it('never applies to the admin', async () => {
    const open = openGateway()
    for (let index = 0; index < 30; index += 1) {
      const response = await open.chat(ADMIN)
      expect(response.status).toBe(200)
      expect(response.headers.has('x-ratelimit-limit')).toBe(false)
    }
  })

  it('emits an event with the refused call', async () => {
    const open = openGateway()
    const refused: unknown[] = []
    open.gateway.events.on('limit.exceeded', ({ caller, requestId }, { limit }) =>
      refused.push([caller.type, requestId, limit]),
    )
    const { secret } = await open.key({ rateLimit: 1 })
    await open.chat(secret)
    await open.chat(secret, {}, { headers: { 'x-request-id': 'second' } })
    expect(refused).toEqual([['key', 'second', 1]])
  })

  it('applies to three processes with one SQLite file together', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'trivium-limits-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const program = fileURLToPath(new URL('limit-process.ts', import.meta.url))
    const run = async (...values: readonly string[]) => {
      const child = spawn(
        process.execPath,
        ['--conditions=@trivium/source', program, join(directory, 'gateway.db'), ...values],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      let output = ''
      for await (const chunk of child.stdout) output += chunk
      return output.trim()
    }
    const secret = await run('generate', '10')
    const admitted = await Promise.all(Array.from({ length: 3 }, () => run('ask', secret)))
    expect(admitted.map(Number).reduce((sum, count) => sum + count, 0)).toBe(10)
  }, 60_000)
})
