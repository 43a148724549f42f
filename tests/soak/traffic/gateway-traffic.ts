import { CUT, ENDLESS } from '../upstreams/soak-upstream.ts'
import { asRecord, type Call, type Client } from './client.ts'
import type { Traffic } from './traffic.ts'

const chat = (model: string, stream: boolean, content = 'one two three'): Call => ({
  body: { model, stream, messages: [{ role: 'user', content }] },
})

const models = ['openai/big', 'anthropic/claude'] as const

const modelOf = (turn: number): string => models[turn % models.length] ?? models[0]

const complete = '/v1/chat/completions'

/** A failing upstream also opens its circuit, so these statuses are expected. */
const failing = { statuses: [200, 502, 503] }

/** Opens so many streams of each upstream at the same time, and closes them when all have begun. */
export async function openStreams(client: Client, count: number): Promise<void> {
  const begun = models.flatMap((model) =>
    Array.from({ length: count }, () => client.begin('POST', complete, chat(model, true, ENDLESS))),
  )
  for (const leave of await Promise.all(begun)) await leave()
}

async function withKey(client: Client, turn: number, use: (authorization: string, id: string) => Promise<void>) {
  const made = await client.call('POST', '/v1/auth/generate-key', {
    body: { username: 'soak', name: `key ${turn}`, rate_limit: 100 },
  })
  const id = String(made.key_id)
  await use(`Bearer ${made.api_key}`, id)
  await client.call('DELETE', `/v1/auth/keys/${id}`)
}

/** Stores a long text. The thread that copies the log of SQLite runs from then on. */
export const startCheckpoints = (client: Client): Promise<void> =>
  withKey(client, 0, async (authorization) => {
    const items = [{ type: 'message', role: 'user', content: 'x'.repeat(5_000_000) }]
    const { id } = await client.call('POST', '/v1/conversations', { authorization, body: { items } })
    await client.call('DELETE', `/v1/conversations/${id}`, { authorization })
  })

export const gatewayTraffic: readonly Traffic[] = [
  {
    name: 'chat',
    users: 2,
    turn: async (client, turn) =>
      void (await client.call('POST', complete, { ...chat(modelOf(turn), false), ...failing })),
  },
  {
    name: 'stream',
    users: 2,
    turn: async (client, turn) =>
      void (await client.call('POST', complete, { ...chat(modelOf(turn), true), ...failing })),
  },
  {
    name: 'stream, left early',
    users: 2,
    turn: (client, turn) => client.readPart('POST', complete, 3, { ...chat(modelOf(turn), true, ENDLESS), ...failing }),
  },
  {
    name: 'stream, cut by the upstream',
    users: 1,
    turn: async (client, turn) =>
      void (await client.call('POST', complete, { ...chat(modelOf(turn), turn % 4 !== 0, CUT), ...failing })),
  },
  {
    name: 'image',
    users: 1,
    turn: async (client, turn) => {
      const response_format = turn % 2 === 0 ? 'url' : 'b64_json'
      const body = { model: 'openai/dall-e-2', prompt: 'a circle', response_format }
      const { data } = await client.call('POST', '/v1/images/generations', { body, ...failing })
      const url = Array.isArray(data) ? asRecord(data[0]).url : undefined
      if (typeof url === 'string') await client.call('GET', new URL(url).pathname)
    },
  },
  {
    name: 'key',
    users: 1,
    turn: (client, turn) =>
      withKey(client, turn, async (authorization, id) => {
        await client.call('GET', '/v1/auth/validate', { authorization })
        await client.call('POST', complete, { ...chat('openai/big', false), authorization, ...failing })
        await client.call('PATCH', `/v1/auth/keys/${id}`, { body: { name: `renamed ${turn}` } })
        const rotated = await client.call('POST', `/v1/auth/keys/${id}/rotate`)
        await client.call('GET', '/v1/models', { authorization: `Bearer ${rotated.api_key}` })
        await client.call('GET', '/v1/usage', { authorization: `Bearer ${rotated.api_key}` })
      }),
  },
  {
    name: 'limited key',
    users: 1,
    turn: (client, turn) =>
      withKey(client, turn, async (authorization, id) => {
        await client.call('PATCH', `/v1/auth/keys/${id}`, { body: { rate_limit: 1 } })
        for (let count = 0; count < 5; count += 1) {
          await client.call('GET', '/v1/models', { authorization, statuses: [200, 429] })
        }
      }),
  },
  {
    name: 'search',
    users: 1,
    turn: async (client, turn) => {
      const engine = turn % 2 === 0 ? 'duckduckgo' : 'local'
      await client.call('GET', `/search?q=quota+${turn % 50}&engine=${engine}&max_results=10`)
    },
  },
  {
    name: 'refused',
    users: 1,
    turn: async (client) => {
      await client.call('POST', complete, {
        ...chat('openai/big', false),
        authorization: 'Bearer tvm_no',
        statuses: [401],
      })
      await client.call('POST', complete, { ...chat('nobody/nothing', true), statuses: [404] })
      await client.call('POST', complete, { body: { model: 'openai/big', messages: 'none' }, statuses: [400] })
      await client.call('GET', '/nothing/here', { statuses: [404] })
    },
  },
  {
    name: 'pages',
    users: 1,
    turn: async (client) => {
      for (const path of ['/health', '/metrics', '/openapi.json', '/docs', '/console/', '/console/api/host']) {
        await client.call('GET', path)
      }
    },
  },
]
