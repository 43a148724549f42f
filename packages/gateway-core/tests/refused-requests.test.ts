import { describe, expect, it } from 'vitest'
import { ADMIN, expectFailure, openGateway } from './open-gateway.ts'

const wrong = { body: { model: 'up/big' } }

describe('limit of invalid requests', () => {
  it('returns 429 unread after 60 within a minute, and counts no admission', async () => {
    const open = openGateway()
    const { secret, key } = await open.key({ rateLimit: 10 })
    const send = (path = '/v1/chat/completions') => open.send(path, { as: secret, ...wrong })
    for (let count = 0; count < 60; count += 1) expect((await send()).status).toBe(400)
    open.time += 20_000
    const refused = await send()
    expect(refused.headers.get('retry-after')).toBe('40')
    await expectFailure(refused, 429, { type: 'requests', code: 'too_many_invalid_requests', param: null })
    expect((await open.chat(secret)).status).toBe(429)
    expect((await open.send('/v1/models', { as: secret })).status).toBe(429)
    expect(await open.remaining(key)).toBe(10)
    const other = await open.key({ username: 'bob' })
    expect((await open.chat(other.secret)).status).toBe(200)
    open.time += 40_000
    expect((await open.chat(secret)).status).toBe(200)
  })

  it.each([
    ['is not JSON', '{'],
    ['is too large', 'x'.repeat(8 * 2 ** 20 + 1)],
    ['has too many values', `[${'0,'.repeat(100_000)}0]`],
  ])('counts a request whose body %s', async (_, body) => {
    const open = openGateway()
    const { secret } = await open.key({ rateLimit: 10 })
    for (let count = 0; count < 60; count += 1) {
      expect((await open.send('/v1/chat/completions', { as: secret, body })).status).toBeGreaterThanOrEqual(400)
    }
    expect((await open.chat(secret)).status).toBe(429)
  })

  it('counts a request for a model that does not exist', async () => {
    const open = openGateway()
    const { secret } = await open.key({ rateLimit: 10 })
    for (let count = 0; count < 60; count += 1) {
      expect((await open.chat(secret, { model: 'up/none' })).status).toBe(404)
    }
    await expectFailure(await open.chat(secret), 429, { code: 'too_many_invalid_requests' })
  })

  it('equals the rate limit where that is above 60', async () => {
    const open = openGateway()
    const { secret } = await open.key({ rateLimit: 100 })
    for (let count = 0; count < 100; count += 1) {
      expect((await open.send('/v1/chat/completions', { as: secret, ...wrong })).status).toBe(400)
    }
    expect((await open.chat(secret)).status).toBe(429)
  })

  it('blocks a key for at most a minute when the clock goes back', async () => {
    const open = openGateway()
    const { secret } = await open.key({ rateLimit: 10 })
    for (let count = 0; count < 60; count += 1) await open.send('/v1/chat/completions', { as: secret, ...wrong })
    open.time -= 30 * 24 * 3_600_000
    expect((await open.send('/v1/chat/completions', { as: secret, ...wrong })).status).toBe(400)
  })

  it('never applies to the admin', async () => {
    const open = openGateway()
    for (let count = 0; count < 70; count += 1) {
      expect((await open.send('/v1/chat/completions', { as: ADMIN, ...wrong })).status).toBe(400)
    }
  })
})

/** A body that is sent on `send()` and records whether it was read. */
function heldBody(bytes: number) {
  const held = { isRead: false, send: () => {} }
  const underlying = {
    pull: (controller: ReadableStreamDefaultController) => {
      held.isRead = true
      return new Promise<void>((resolve) => {
        held.send = () => {
          controller.enqueue(new Uint8Array(bytes).fill(0x78))
          controller.close()
          resolve()
        }
      })
    },
  }
  const body = new ReadableStream(underlying, { highWaterMark: 0 })
  return { body, held }
}

describe('admission of a key before the body is read', () => {
  it('refuses requests beyond the rate limit, until the window moves or the limit changes', async () => {
    const open = openGateway()
    const exceeded: unknown[] = []
    open.gateway.events.on('limit.exceeded', (call) => exceeded.push(call.requestId))
    const { secret, key } = await open.key({ rateLimit: 2 })
    for (const status of [200, 200, 429]) expect((await open.chat(secret)).status).toBe(status)
    const { body, held } = heldBody(10)
    const unread = await open.send('/v1/chat/completions', { as: secret, method: 'POST', body })
    expect(held.isRead).toBe(false)
    expect(unread.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(unread.headers.get('x-request-id')).toBe(exceeded[1])
    await expectFailure(unread, 429, { code: 'rate_limit_exceeded' })
    await open.send(`/v1/auth/keys/${key.id}`, { method: 'PATCH', as: ADMIN, body: { rate_limit: 3 } })
    expect((await open.chat(secret)).status).toBe(200)
    expect((await open.chat(secret)).status).toBe(429)
    open.time += 60_000
    expect((await open.chat(secret)).status).toBe(200)
  })

  it('refuses more than 512 MiB of all keys at the same time', async () => {
    const open = openGateway()
    const keys = await Promise.all(Array.from({ length: 5 }, () => open.key()))
    const send = (secret: string, body: unknown) =>
      open.send('/v1/chat/completions', {
        as: secret,
        method: 'POST',
        body,
        headers: { 'content-length': String(32 * 2 ** 20) },
      })
    const [last, ...others] = keys
    if (!last) throw new Error('there is no key')
    const bodies = others.flatMap(({ secret }) => Array.from({ length: 4 }, () => ({ secret, ...heldBody(10) })))
    const answers = bodies.map(({ secret, body }) => send(secret, body))
    // Secrets of keys are hashed in threads, so requests do not arrive in their order.
    for (const one of bodies) await expect.poll(() => one.held.isRead).toBe(true)
    const { body, held } = heldBody(10)
    await expectFailure(await send(last.secret, body), 503, { code: 'too_many_bytes_received' })
    expect(held.isRead).toBe(false)
    for (const one of bodies) one.held.send()
    for (const answer of answers) expect((await answer).status).toBe(400)
    const later = heldBody(10)
    const answer = send(last.secret, later.body)
    await expect.poll(() => later.held.isRead).toBe(true)
    later.held.send()
    expect((await answer).status).toBe(400)
  })

  it('refuses more than 128 MiB at the same time', async () => {
    const open = openGateway()
    const { secret } = await open.key()
    const send = (body: unknown) =>
      open.send('/v1/chat/completions', {
        as: secret,
        method: 'POST',
        body,
        headers: { 'content-length': String(8 * 2 ** 20) },
      })
    const bodies = Array.from({ length: 16 }, () => heldBody(10))
    const answers = bodies.map(({ body }) => send(body))
    // Secrets of keys are hashed in threads, so requests do not arrive in their order.
    for (const one of bodies) await expect.poll(() => one.held.isRead).toBe(true)
    const { body, held } = heldBody(10)
    await expectFailure(await send(body), 429, { code: 'too_many_bytes_at_once' })
    expect(held.isRead).toBe(false)
    const small = { headers: { 'content-length': '100' } }
    expect((await open.chat(secret, {}, small)).status).toBe(200)
    for (const one of bodies) one.held.send()
    for (const answer of answers) expect((await answer).status).toBe(400)
    const later = heldBody(10)
    const answer = send(later.body)
    await expect.poll(() => later.held.isRead).toBe(true)
    later.held.send()
    expect((await answer).status).toBe(400)
  })
})

describe('check for unknown fields', () => {
  it.each([
    ['POST', '/v1/auth/generate-key', { username: 'x', allowed_models: ['openai/gpt-5'] }, 'allowed_models'],
    ['POST', '/v1/auth/generate-key', { username: 'x', max_bugdet: 0.0001 }, 'max_bugdet'],
    ['POST', '/v1/auth/generate-key', { username: 'x', rate_limt: 1 }, 'rate_limt'],
    ['PATCH', '/v1/auth/keys/KEY', { disabled_: true }, 'disabled_'],
    ['PATCH', '/v1/auth/keys/KEY', { name: 'new', expires_in_day: 0 }, 'expires_in_day'],
    ['POST', '/v1/auth/keys/KEY/rotate', { grace: 5 }, 'grace'],
    ['DELETE', '/v1/auth/keys/KEY', { force: true }, 'force'],
  ])('refuses %s %s with the body %j, without effect', async (method, path, body, param) => {
    const open = openGateway()
    const { key } = await open.key()
    const before = await open.send('/v1/auth/keys', { as: ADMIN })
    const response = await open.send(path.replace('KEY', key.id), { method, body, as: ADMIN })
    await expectFailure(response, 400, {
      code: 'unknown_parameter',
      param,
      message: `Unknown parameter '${param}'.`,
    })
    const after = await open.send('/v1/auth/keys', { as: ADMIN })
    expect(await after.json()).toEqual(await before.json())
  })

  it.each([
    ['GET', '/v1/auth/keys?user=x', 'user'],
    ['GET', '/v1/usage?keyid=x', 'keyid'],
    ['POST', '/v1/auth/generate-key?max_budget=5', 'max_budget'],
    ['PATCH', '/v1/auth/keys/KEY?disabled=true', 'disabled'],
    ['DELETE', '/v1/auth/keys/KEY?dry_run=true', 'dry_run'],
    ['POST', '/v1/auth/keys/KEY/rotate?dry_run=true', 'dry_run'],
  ])('refuses %s %s, without effect', async (method, path, param) => {
    const open = openGateway()
    const { key } = await open.key()
    const response = await open.send(path.replace('KEY', key.id), { method, as: ADMIN })
    await expectFailure(response, 400, { code: 'unknown_parameter', param })
    expect(await open.send('/v1/auth/keys', { as: ADMIN }).then((listed) => listed.json())).toMatchObject({
      data: [{ revoked_at: null }],
    })
  })

  it('accepts any parameter in the query of a chat request', async () => {
    const open = openGateway()
    const { secret } = await open.key()
    const body = { model: 'up/big', messages: [{ role: 'user', content: 'x' }] }
    const response = await open.send('/v1/chat/completions?api-version=2026-01-01', { as: secret, body })
    expect(response.status).toBe(200)
  })

  it('accepts any field in the body of a chat request', async () => {
    const open = openGateway()
    const { secret } = await open.key()
    expect((await open.chat(secret, { my_own: { field: 1 } })).status).toBe(200)
  })

  it.each(['{}', ' {} ', ''])('accepts the body %j where the operation has none', async (body) => {
    const open = openGateway()
    const { key } = await open.key()
    const response = await open.send(`/v1/auth/keys/${key.id}/rotate`, { method: 'POST', body, as: ADMIN })
    expect(response.status).toBe(200)
  })
})
