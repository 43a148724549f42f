import { describe, expect, it } from 'vitest'
import { expectFailure, expectMessageFailure, openGateway } from '../open-gateway.ts'
import { dialectUpstream } from './dialect-upstream.ts'

const names = {
  chat: 'chat completions',
  responses: "OpenAI's responses",
  messages: "Anthropic's messages",
}

const refusal = (field: string, upstream: keyof typeof names) =>
  `'${field}' cannot be sent to this model: its upstream speaks ${names[upstream]}, which have no such field. Remove it or use another model.`

const messages = [{ role: 'user', content: 'Hello' }]

async function start(dialect: keyof typeof names) {
  const upstream = await dialectUpstream(dialect)
  const open = openGateway({ providers: [upstream.provider], retries: { retries: 0 } })
  const { secret } = await open.key()
  const ask = (path: string, body: object) => open.send(path, { as: secret, body: { model: 'up/big', ...body } })
  return { ask, upstream, open, secret }
}

describe('a field that the dialect of the upstream does not have', () => {
  it.each([
    ['/v1/responses', 'chat', 'prompt', { prompt: { id: 'pmpt_1' } }],
    ['/v1/responses', 'messages', 'prompt', { prompt: { id: 'pmpt_1' } }],
    ['/v1/chat/completions', 'messages', 'n', { messages, n: 2 }],
    ['/v1/chat/completions', 'messages', 'logit_bias', { messages, logit_bias: { 5: 1 } }],
    ['/v1/chat/completions', 'responses', 'n', { messages, n: 2 }],
  ] as const)('%s is refused over %s with the reason and a remedy: %s', async (path, dialect, param, body) => {
    const { ask, upstream } = await start(dialect)
    const message = refusal(param, dialect)
    await expectFailure(await ask(path, body), 400, {
      code: 'unsupported_parameter',
      param,
      message,
    })
    expect(upstream.seen).toEqual([])
  })

  it.each([
    ['chat', 'container', { container: 'container_1' }],
    ['responses', 'container', { container: 'container_1' }],
  ] as const)('/v1/messages is refused over %s with the reason and a remedy: %s', async (dialect, param, fields) => {
    const { ask } = await start(dialect)
    const response = await ask('/v1/messages', { messages, max_tokens: 5, ...fields })
    await expectMessageFailure(response, 400, 'invalid_request_error', refusal(param, dialect))
  })
})

describe('a request for a response without input', () => {
  it.each([
    'chat',
    'messages',
  ] as const)('a request without input is refused over an upstream of %s', async (dialect) => {
    const { ask, upstream } = await start(dialect)
    for (const body of [{}, { input: null }, { instructions: 'Be kind.' }]) {
      await expectFailure(await ask('/v1/responses', body), 400, {
        code: 'missing_required_parameter',
        param: 'input',
        message: "Missing required parameter 'input'.",
      })
    }
    expect(upstream.seen).toEqual([])
  })

  it('reaches an upstream of responses, which decides', async () => {
    const { ask, upstream } = await start('responses')
    expect((await ask('/v1/responses', {})).status).toBe(200)
    expect(upstream.seen).toHaveLength(1)
  })

  it('continues an earlier response or a conversation', async () => {
    const { ask, open, secret } = await start('chat')
    const first = await (await ask('/v1/responses', { input: 'Hello' })).json()
    expect((await ask('/v1/responses', { previous_response_id: first.id })).status).toBe(200)
    const items = [{ type: 'message', role: 'user', content: 'Hello' }]
    const created = await open.send('/v1/conversations', { as: secret, body: { items } })
    const { id: conversation } = await created.json()
    expect((await ask('/v1/responses', { conversation })).status).toBe(200)
    const { id: empty } = await (await open.send('/v1/conversations', { as: secret, body: {} })).json()
    await expectFailure(await ask('/v1/responses', { conversation: empty }), 400, {
      param: 'input',
    })
  })
})
