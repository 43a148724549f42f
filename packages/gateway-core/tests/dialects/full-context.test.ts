import type { ServerResponse } from 'node:http'
import type { Dialect } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { openGateway } from '../open-gateway.ts'
import { dialects, scripts } from './dialect-scripts.ts'
import { dialectUpstream, streaming } from './dialect-upstream.ts'

const openAiWords =
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce their length."
const openAi = {
  message: openAiWords,
  type: 'invalid_request_error',
  param: 'messages',
  code: 'context_length_exceeded',
}
const anthropicWords = 'prompt is too long: 9000 tokens > 8192 maximum'
const anthropic = { type: 'error', error: { type: 'invalid_request_error', message: anthropicWords } }

/** How the upstreams of each dialect report a full context: as a body, and as the first event of a stream. */
const reports: Readonly<Record<Dialect, { readonly body: object; readonly events: readonly string[] }>> = {
  chat: { body: { error: openAi }, events: [`data: ${JSON.stringify({ error: openAi })}\n\n`] },
  responses: {
    body: { error: openAi },
    events: [`event: error\ndata: ${JSON.stringify({ ...openAi, type: 'error', sequence_number: 0 })}\n\n`],
  },
  messages: { body: anthropic, events: [`event: error\ndata: ${JSON.stringify(anthropic)}\n\n`] },
}

async function errorsOf(front: Dialect, answer: Parameters<typeof dialectUpstream>[1], upstream: Dialect) {
  const { provider } = await dialectUpstream(upstream, answer)
  const open = openGateway({ providers: [provider], retries: { retries: 0 } })
  const { secret } = await open.key()
  const errors: unknown[] = []
  for (const stream of [false, true]) {
    const body = { model: 'up/big', ...scripts[front].request, stream }
    const response = await open.send(scripts[front].path, { as: secret, body })
    errors.push({ status: response.status, error: (await response.json()).error })
  }
  return errors
}

const refusing = (body: object) => (_: unknown, response: ServerResponse) => {
  response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

describe.each(dialects)('a full context of an upstream of %s', (upstream) => {
  it.each(['chat', 'responses'] as const)('has the code that clients of %s know', async (front) => {
    const expected = { status: 400, error: { code: 'context_length_exceeded' } }
    const [whole, streamed] = await errorsOf(front, refusing(reports[upstream].body), upstream)
    expect([whole, streamed]).toMatchObject([expected, expected])
    const [, event] = await errorsOf(front, streaming(reports[upstream].events), upstream)
    expect(event).toMatchObject(expected)
  })

  it('has the words by which clients of messages compact a conversation', async () => {
    const message = expect.stringMatching(/^prompt is too long: 9000 tokens > 8192 maximum/)
    const expected = { status: 400, error: { type: 'invalid_request_error', message } }
    const answers = await errorsOf('messages', refusing(reports[upstream].body), upstream)
    expect(answers).toEqual([expected, expected])
    const [, event] = await errorsOf('messages', streaming(reports[upstream].events), upstream)
    expect(event).toEqual(expected)
  })

  it('has these words in a stream that has begun', async () => {
    const { provider } = await dialectUpstream(
      upstream,
      streaming([...scripts[upstream].events.slice(0, 5), ...reports[upstream].events]),
    )
    const open = openGateway({ providers: [provider], retries: { retries: 0 } })
    const { secret } = await open.key()
    const body = { model: 'up/big', ...scripts.messages.request, stream: true }
    const response = await open.send('/v1/messages', { as: secret, body })
    expect(response.status).toBe(200)
    expect(await response.text()).toMatch(
      /event: error\ndata: .*"prompt is too long: 9000 tokens > 8192 maximum.*\n\n$/,
    )
  })
})

describe('a full context of a compatible server without a code', () => {
  it.each([
    ["This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.", ' 9000 tokens > 8192'],
    ['the request exceeds the available context size, try increasing it', ''],
    ['Your input exceeds the context window of this model. Please adjust your input and try again.', ''],
    ['The input token count (9000) exceeds the maximum number of tokens allowed (8192).', ''],
  ])('has the words of Anthropic: %s', async (message, counts) => {
    const [whole] = await errorsOf('messages', refusing({ error: { message, type: 'BadRequestError' } }), 'chat')
    expect(whole).toMatchObject({ status: 400, error: { message: expect.stringContaining(message) } })
    expect(JSON.stringify(whole)).toContain(`prompt is too long:${counts}`)
  })

  it('keeps the words of other refusals', async () => {
    const [whole] = await errorsOf('messages', refusing({ error: { message: 'The prompt is empty.' } }), 'chat')
    expect(whole).toMatchObject({ status: 400, error: { message: 'The prompt is empty.' } })
  })
})
