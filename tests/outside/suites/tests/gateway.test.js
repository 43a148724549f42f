import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { localProvider } from '@trivium/local-provider'
import { memoryGatewayRepositories } from '@trivium/memory-repositories/gateway'
import { openAiProvider } from '@trivium/openai-provider'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
import { afterAll, describe, expect, it } from 'vitest'
import { listen } from './listen.js'

// A gateway on the server of the runtime: Bun.serve, Deno.serve.

const database = await openDatabase(`sqlite:${join(mkdtempSync(join(tmpdir(), 'trivium-gateway-')), 'gateway.sqlite')}`)
await migrateGateway(database)
afterAll(() => database.close())

describe.each([
  ['in memory', memoryGatewayRepositories()],
  ['in a SQLite file', sqlGatewayRepositories(database)],
])('a gateway %s', (_, repositories) => {
  it('serves models, answers and streams to a key', async () => {
    const gateway = createGateway({ repositories, providers: [localProvider()] })
    const handle = fetchHandler(gatewayRoutes(gateway))
    const server = listen(
      async (request, remoteAddress) => (await handle(request, { remoteAddress })) ?? new Response(),
    )
    const issued = await gateway.apiKeys.generate({ username: 'me' })
    const headers = { authorization: `Bearer ${issued._unsafeUnwrap().secret}` }
    const url = `http://127.0.0.1:${server.port}/v1`
    const complete = (more) =>
      fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          model: 'local/echo-no-llm',
          messages: [{ role: 'user', content: 'Hello there' }],
          ...more,
        }),
      })
    const { data } = await (await fetch(`${url}/models`, { headers })).json()
    expect(data.map(({ id }) => id)).toContain('local/echo-no-llm')
    const { choices } = await (await complete({})).json()
    expect(choices[0].message.content).toContain('Hello there')
    expect(await (await complete({ stream: true })).text()).toMatch(/^data: .*data: \[DONE\]\n\n$/s)
    expect((await fetch(`${url}/models`)).status).toBe(401)
    await server.close()
    await gateway.close()
  })
})

it.skipIf(process.versions.bun)('calls an upstream over HTTP', async () => {
  const message = { role: 'assistant', content: 'hello' }
  const upstream = listen(() =>
    Response.json({
      id: 'x',
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    }),
  )
  const baseUrl = `http://127.0.0.1:${upstream.port}/v1`
  const gateway = createGateway({
    repositories: memoryGatewayRepositories(),
    providers: [openAiProvider({ baseUrl, models: ['m'] })],
  })
  const handle = fetchHandler(gatewayRoutes(gateway))
  const issued = await gateway.apiKeys.generate({ username: 'me' })
  const answer = await handle(
    new Request('http://gateway.internal/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${issued._unsafeUnwrap().secret}` },
      body: JSON.stringify({ model: 'openai/m', messages: [{ role: 'user', content: 'Hello' }] }),
    }),
  )
  expect((await answer.json()).choices[0].message).toMatchObject(message)
  await gateway.close()
  await upstream.close()
})

it.runIf(process.versions.bun)('refuses a provider over HTTP in one sentence', () => {
  expect(() => openAiProvider({ baseUrl: 'http://127.0.0.1:9/v1' })).toThrow(
    'needs the package undici, which Bun replaces',
  )
})
