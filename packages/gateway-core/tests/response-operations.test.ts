import type { Dialect } from '@trivium/gateway-core/ports'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { scripts } from './dialects/dialect-scripts.ts'
import { answering, dialectUpstream } from './dialects/dialect-upstream.ts'
import { expectFailure, openGateway } from './open-gateway.ts'

const model = 'up/big'
const input = 'The quick brown fox jumps over the lazy dog.'
const counted = { object: 'response.input_tokens', input_tokens: 42 }
const compacted = {
  id: 'cmp_1',
  object: 'response.compaction',
  created_at: 1_700_000_000,
  output: [{ id: 'ci_1', type: 'compaction', encrypted_content: 'x' }],
  usage: { input_tokens: 30, output_tokens: 5, total_tokens: 35 },
}

const { output } = scripts.responses.answer
const outputLength = Array.isArray(output) ? output.length : 0

/** An upstream of one dialect, which has the operations of responses. */
async function begin(dialect: Dialect) {
  const upstream = await dialectUpstream(dialect, (request, response) => {
    const operation = request.path.endsWith('/input_tokens') ? counted : compacted
    if (!/input_tokens|compact/.test(request.path)) return answering(dialect)(request, response)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(operation))
  })
  const open = openGateway({ providers: [upstream.provider] })
  const { secret } = await open.key()
  const client = new OpenAI({ apiKey: secret, baseURL: 'http://gateway.test/v1', fetch: open.fetch, maxRetries: 0 })
  const sent = (index: number) => JSON.parse(upstream.seen[index]?.body ?? '')
  return { upstream, open, secret, client, sent }
}

describe('POST /v1/responses/input_tokens', () => {
  it('passes to an upstream of responses', async () => {
    const { client, upstream, sent, open } = await begin('responses')
    expect(await client.responses.inputTokens.count({ model, input })).toEqual(counted)
    expect(upstream.seen).toMatchObject([{ method: 'POST', path: '/v1/responses/input_tokens' }])
    expect(sent(0)).toEqual({ model: 'big', input })
    expect(open.records).toMatchObject([{ status: 200, inputTokens: 0, outputTokens: 0 }])
  })

  it('answers with an estimate over chat, and a header says so', async () => {
    const { open, secret, upstream } = await begin('chat')
    const tools = [{ type: 'function', name: 'f', description: input, parameters: {} }]
    const items = [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: input },
          { type: 'input_image', image_url: 'x' },
        ],
      },
    ]
    const bodies = [
      { model, input },
      { model, input: items },
      { model, input, instructions: input, tools },
    ]
    const counts: number[] = []
    for (const body of bodies) {
      const response = await open.send('/v1/responses/input_tokens', { as: secret, body })
      expect(response.headers.get('x-trivium-estimated')).toBe('true')
      const answer = await response.json()
      expect(answer).toEqual({ object: 'response.input_tokens', input_tokens: expect.any(Number) })
      counts.push(answer.input_tokens)
    }
    expect(counts.slice(0, 2)).toEqual([14, 814])
    expect(counts[2]).toBeGreaterThan(40)
    expect(upstream.seen).toEqual([])
  })
})

describe('POST /v1/responses/compact', () => {
  it('passes to an upstream of responses, and counts its usage', async () => {
    const { client, upstream, sent, open } = await begin('responses')
    expect(await client.responses.compact({ model, input, instructions: 'Be brief' })).toMatchObject(compacted)
    expect(upstream.seen).toMatchObject([{ method: 'POST', path: '/v1/responses/compact' }])
    expect(sent(0)).toEqual({ model: 'big', input, instructions: 'Be brief' })
    expect(open.records).toMatchObject([{ status: 200, inputTokens: 30, outputTokens: 5 }])
  })

  it('has the items of the previous response in its input, and no member that is about an answer', async () => {
    const { client, sent } = await begin('responses')
    const first = await client.responses.create({ model, input })
    await client.responses.compact({ model, previous_response_id: first.id })
    expect(Object.keys(sent(1)).sort()).toEqual(['input', 'model'])
    expect(sent(1).input[0]).toMatchObject({ role: 'user', content: [{ text: input }] })
    expect(sent(1).input).toHaveLength(1 + outputLength)
    await client.responses.inputTokens.count({ model, previous_response_id: first.id, input })
    expect(sent(2).input).toHaveLength(2 + outputLength)
  })

  it.each(['chat', 'messages'] as const)('answers with a 400 over %s', async (dialect) => {
    const { open, secret, upstream } = await begin(dialect)
    const response = await open.send('/v1/responses/compact', { as: secret, body: { model, input } })
    await expectFailure(response, 400, {
      param: 'model',
      code: 'unsupported_parameter',
      message: expect.stringContaining('no compaction'),
    })
    expect(upstream.seen).toEqual([])
  })
})
