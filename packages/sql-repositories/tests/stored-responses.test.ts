import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway, type Gateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { localProvider } from '@trivium/local-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrateGateway } from '../src/gateway/migrate-gateway.ts'
import { sqlGatewayRepositories } from '../src/gateway/sql-gateway-repositories.ts'
import { type FreshDatabase, sharedDatabases } from './test-databases.ts'

describe.each(sharedDatabases)('stored responses over HTTP on $name', (kind) => {
  let fresh: FreshDatabase
  let gateway: Gateway
  let secret: string
  let handle: ReturnType<typeof fetchHandler>

  beforeAll(async () => {
    fresh = await kind.create()
    const database = await fresh.open()
    await migrateGateway(database)
    gateway = createGateway({ repositories: sqlGatewayRepositories(database), providers: [localProvider()] })
    handle = fetchHandler(gatewayRoutes(gateway))
    secret = (await gateway.apiKeys.generate({ username: 'ada', rateLimit: 1_000 }))._unsafeUnwrap().secret
  }, 60_000)
  afterAll(async () => {
    await gateway.close()
    await fresh.remove()
  })

  const send = async (
    path: string,
    body?: unknown,
    method = body === undefined ? 'GET' : 'POST',
    to = handle,
  ): Promise<Response> => {
    const response = await to(
      new Request(`http://gateway.test/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
    if (!response) throw new Error(`No route has ${path}`)
    return response
  }
  const create = async (body: object) =>
    (await send('responses', { model: 'local/echo-no-llm', input: 'Hello', ...body })).json()

  it('a response is read, continued, listed and deleted', async () => {
    const first = await create({ input: 'Grüße 🌍' })
    expect(await (await send(`responses/${first.id}`)).json()).toEqual(first)
    const { data } = await (await send(`responses/${first.id}/input_items`)).json()
    expect(data).toMatchObject([{ role: 'user', content: [{ type: 'input_text', text: 'Grüße 🌍' }] }])
    const next = await create({ previous_response_id: first.id })
    expect(next.previous_response_id).toBe(first.id)
    expect(await (await send(`responses/${next.id}`)).json()).toEqual(next)
    expect((await send(`responses/${first.id}`, undefined, 'DELETE')).status).toBe(200)
    expect((await send(`responses/${first.id}`)).status).toBe(404)
    expect((await create({ previous_response_id: next.id })).error.code).toBe('previous_response_not_found')
  })

  it('a response in the background is streamed, and its events are made again by another process', async () => {
    const body = { model: 'local/echo-no-llm', input: 'Hello', background: true, stream: true }
    const text = await (await send('responses', body)).text()
    const id = /"id":"(resp_[0-9a-f]{48})"/.exec(text)?.[1]
    const stored = await (await send(`responses/${id}`)).json()
    expect(stored).toMatchObject({ id, status: 'completed', background: true })
    expect(text).toContain(`event: response.completed`)
    expect(await (await send(`responses/${id}?stream=true`)).text()).toBe(text)

    const database = await fresh.open()
    const other = createGateway({ repositories: sqlGatewayRepositories(database), providers: [localProvider()] })
    const written = await (
      await send(`responses/${id}?stream=true&starting_after=7`, undefined, 'GET', fetchHandler(gatewayRoutes(other)))
    ).text()
    expect(JSON.parse(/^data: (.*)$/m.exec(written)?.[1] ?? '')).toEqual({
      type: 'response.completed',
      sequence_number: 8,
      response: stored,
    })
    await other.close()
  })

  it('a conversation is extended, listed in pages and deleted', async () => {
    const { id } = await (await send('conversations', { metadata: { topic: 'tea' } })).json()
    await create({ conversation: id, input: 'One' })
    await create({ conversation: id, input: 'Two' })
    const all = await (await send(`conversations/${id}/items?order=asc`)).json()
    expect(all.data).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user' }, { role: 'assistant' }])
    const page = await (await send(`conversations/${id}/items?order=asc&limit=2&before=${all.last_id}`)).json()
    expect(page).toMatchObject({ data: all.data.slice(1, 3), has_more: true })
    const changed = await send(`conversations/${id}`, { metadata: { topic: 'coffee' } })
    expect((await changed.json()).metadata).toEqual({ topic: 'coffee' })
    expect((await send(`conversations/${id}/items/${all.first_id}`, undefined, 'DELETE')).status).toBe(200)
    expect((await send(`conversations/${id}`, undefined, 'DELETE')).status).toBe(200)
    expect((await send(`conversations/${id}/items`)).status).toBe(404)
  })
})
