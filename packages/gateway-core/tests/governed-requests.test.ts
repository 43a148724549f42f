import type { NewApiKey } from '@trivium/gateway-core'
import { describe, expect, it } from 'vitest'
import { fakeProvider } from './fake-provider.ts'
import { expectFailure, openGateway } from './open-gateway.ts'

const CHAT = '/v1/chat/completions'
const MESSAGES = '"messages":[{"role":"user","content":"Hi"}]'
const json = { 'content-type': 'application/json' }

const governed: readonly (readonly [string, Partial<NewApiKey>])[] = [
  ['rules', { policy: { models: ['up/big'] } }],
  ['a budget', { budget: { tokensPerDay: 1_000_000 } }],
]

async function openWith(terms: Partial<NewApiKey>) {
  const up = fakeProvider({ models: ['big', 'dear'] })
  const open = openGateway({ providers: [up] })
  const { secret } = await open.key(terms)
  const send = (body: string) => open.send(CHAT, { as: secret, body, headers: json })
  return { up, open, secret, send }
}

describe.each(governed)('a request of a key with %s', (_, terms) => {
  it.each([
    [`{"model":"dear",${MESSAGES},"model":"big"}`, `{${MESSAGES},"model":"big"}`],
    [`{"mod\\u0065l":"dear",${MESSAGES},"model":"big"}`, `{${MESSAGES},"model":"big"}`],
    [`{"max_tokens":9000,"model":"big","max_tokens":1,${MESSAGES}}`, `{"model":"big","max_tokens":1,${MESSAGES}}`],
    [`{"model": "big" , ${MESSAGES}}`, `{"model": "big" , ${MESSAGES}}`],
  ])('reaches upstreams with each member as the gateway has read it: %s', async (body, sent) => {
    const { up, send } = await openWith(terms)
    expect((await send(body)).status).toBe(200)
    expect(up.calls[0]?.sent).toBe(sent)
  })

  it.each([
    'Model',
    'MODEL',
    'Models',
    'N',
    'bestOf',
    'maxTokens',
    'Max_Completion_Tokens',
    'max_to\u212aens',
    '\u017ftream',
    'tool\u017f',
    'models',
    'route',
    'fallbacks',
  ])('returns 400 for the member %j, which upstreams may read differently', async (name) => {
    const { up, send } = await openWith(terms)
    const refused = await send(`{"model":"big",${MESSAGES},${JSON.stringify(name)}:1}`)
    await expectFailure(refused, 400, { code: 'unsupported_parameter', param: name })
    expect(up.calls).toHaveLength(0)
  })

  it('passes on members that only upstreams know', async () => {
    const { up, send } = await openWith(terms)
    expect((await send(`{"model":"big",${MESSAGES},"top_k":5,"Seed":3,"models":null}`)).status).toBe(200)
    expect(JSON.parse(up.calls[0]?.sent ?? '')).toMatchObject({ top_k: 5, Seed: 3 })
  })
})

describe('a request of a key with a budget', () => {
  it.each([
    'best_of',
    'max_new_tokens',
    'max_output_tokens',
  ])('returns 400 for %s, which no limit counts', async (name) => {
    const { send } = await openWith({ budget: { tokensPerDay: 1_000_000 } })
    await expectFailure(await send(`{"model":"big",${MESSAGES},"${name}":5}`), 400, { param: name })
  })
})

describe('a request of a key without rules and limits', () => {
  it('reaches upstreams in its own bytes', async () => {
    const { up, send } = await openWith({})
    const body = `{"Model":"x","model":"big","max_tokens":2,"max_tokens":1,"models":["y"],${MESSAGES}}`
    expect((await send(body)).status).toBe(200)
    expect(up.calls[0]?.sent).toBe(body)
  })
})
