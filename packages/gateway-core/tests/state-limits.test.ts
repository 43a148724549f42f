import { memoryResponses } from '@trivium/gateway-core/memory'
import { describe, expect, it } from 'vitest'
import { expectFailure, openGateway } from './open-gateway.ts'

const message = (text: string) => ({ type: 'message', role: 'user', content: text })

describe('stored responses and conversations', () => {
  it('each request for stored state counts for the rate limit, and reports it', async () => {
    const open = openGateway()
    const { secret, key } = await open.key({ rateLimit: 11 })
    const conversations = '/v1/conversations'
    const first = await open.send(conversations, { as: secret, body: {} })
    expect(first.status).toBe(200)
    expect(first.headers.get('x-ratelimit-limit')).toBe('11')
    expect(first.headers.get('x-ratelimit-remaining')).toBe('10')
    const { id } = await first.json()
    const own = `${conversations}/${id}`
    await open.send(`${own}/items`, { as: secret, body: { items: [message('Hello')] } })
    const statuses: number[] = []
    for (const [method, path] of [
      ['GET', own],
      ['GET', `${own}/items`],
      ['GET', `${own}/items/msg_1`],
      ['DELETE', `${own}/items/msg_1`],
      ['DELETE', own],
      ['GET', '/v1/responses/resp_1'],
      ['GET', '/v1/responses/resp_1/input_items'],
      ['DELETE', '/v1/responses/resp_1'],
      ['POST', '/v1/responses/resp_1/cancel'],
    ] as const) {
      statuses.push((await open.send(path, { method, as: secret })).status)
    }
    expect(statuses).toEqual([200, 200, 404, 404, 200, 404, 404, 404, 404])
    expect(await open.remaining(key)).toBe(0)
    const refused = await open.send(conversations, { as: secret, body: {} })
    expect(refused.headers.get('retry-after')).toBe('60')
    await expectFailure(refused, 429, { code: 'rate_limit_exceeded' })
    expect((await open.send(own, { as: secret })).status).toBe(429)
  })

  it('an item of any type has an id of word characters', async () => {
    const open = openGateway()
    const { secret } = await open.key()
    const items = ['constructor', 'toString', '__proto__', 'other'].map((type) => ({ type, x: 1 }))
    const { id } = await (await open.send('/v1/conversations', { as: secret, body: { items } })).json()
    const { data } = await (await open.send(`/v1/conversations/${id}/items`, { method: 'GET', as: secret })).json()
    expect(data.map((item: { readonly id: string }) => /^item_\w{48}$/.test(item.id))).toEqual([true, true, true, true])
  })

  it('the conversations of a key that were used longest ago are removed beyond the bytes of all', async () => {
    const open = openGateway({ responses: { maxOwnerBytes: 30_000 } })
    const { secret } = await open.key()
    const create = async () => {
      const body = { items: [message('x'.repeat(9_000))] }
      open.time += 1_000
      return (await (await open.send('/v1/conversations', { as: secret, body })).json()).id
    }
    const ids = [await create(), await create(), await create(), await create(), await create()]
    const statuses = await Promise.all(
      ids.map(async (id) => (await open.send(`/v1/conversations/${id}`, { as: secret })).status),
    )
    expect(statuses).toEqual([404, 404, 200, 200, 200])
  })

  it('a request that the rate limit refuses reads none, and one that continues them counts once', async () => {
    let reads = 0
    const stored = memoryResponses()
    const responses: typeof stored = {
      ...stored,
      find: (id, owner, now) => {
        reads += 1
        return stored.find(id, owner, now)
      },
    }
    const open = openGateway({ repositories: { responses } })
    const { secret, key } = await open.key({ rateLimit: 3 })
    const respond = (more: object) =>
      open.send('/v1/responses', { as: secret, body: { model: 'up/big', input: 'Hello', ...more } })
    const { id } = await (await respond({})).json()
    expect((await respond({ previous_response_id: id })).status).toBe(200)
    expect(await open.remaining(key)).toBe(1)
    // What a request would continue is read, so that the request counts.
    expect((await respond({ previous_response_id: 'resp_absent' })).status).toBe(400)
    expect(await open.remaining(key)).toBe(0)
    const before = reads
    for (const more of [
      { previous_response_id: id },
      { previous_response_id: id, background: true },
      { conversation: 'conv_absent' },
      { input: [{ type: 'item_reference', id: 'msg_1' }] },
    ]) {
      expect((await respond(more)).status).toBe(429)
    }
    expect(reads).toBe(before)
    open.time += 60_000
    expect((await respond({ model: 'up/absent', previous_response_id: id })).status).toBe(404)
    expect(reads).toBe(before)
    expect((await respond({ previous_response_id: id, background: true })).status).toBe(200)
    expect(await open.remaining(key)).toBe(2)
  })
})
