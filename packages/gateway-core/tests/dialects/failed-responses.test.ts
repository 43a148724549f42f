import { describe, expect, it } from 'vitest'
import { failedResponse } from '../../src/dialects/responses/answers/failed-response.ts'
import { toProviderError } from '../../src/providers/provider-error.ts'
import { openGateway, settled } from '../open-gateway.ts'
import { scripts } from './dialect-scripts.ts'
import { dialectUpstream, streaming } from './dialect-upstream.ts'

async function eventsOf(upstream: 'chat' | 'messages', events: readonly string[], more: object = {}) {
  const { provider } = await dialectUpstream(upstream, streaming(events, 'cut'))
  const open = openGateway({ providers: [provider], retries: { retries: 0 } })
  const { secret } = await open.key()
  const body = { model: 'up/big', ...scripts.responses.request, ...more, stream: true }
  const text = await (await open.send('/v1/responses', { as: secret, body })).text()
  await settled()
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)))
}

describe('a translated stream of a response that fails', () => {
  it('ends with the fields that it began with, and the items that were complete', async () => {
    const { events } = scripts.messages
    const given = { metadata: { a: 'b' }, text: { format: { type: 'text' } }, instructions: 'Be brief. '.repeat(200) }
    const sent = await eventsOf('messages', events.slice(0, 7), given)
    const [error, failed] = sent.slice(-2)
    const { id, tools, metadata, text, reasoning, instructions } = sent[0].response
    const message = { type: 'message', status: 'completed', content: [{ text: 'I look it up.' }] }
    expect(error).toMatchObject({ type: 'error', code: 'upstream_incomplete' })
    expect(failed).toMatchObject({ type: 'response.failed', response: { status: 'failed' } })
    expect(failed.response).toMatchObject({ id, tools, metadata, text, reasoning, instructions, output: [message] })
    expect(failed.response.error.code).toBe('server_error')
    expect(metadata).toEqual({ a: 'b' })
    expect(sent.map(({ sequence_number: number }) => number)).toEqual([...sent.keys()])
  })

  it('begins a call without arguments, to which clients append the deltas', async () => {
    const sent = await eventsOf('chat', scripts.chat.events.slice(0, 6))
    const added = sent.filter(({ type }) => type === 'response.output_item.added')
    expect(added.at(-1).item).toMatchObject({ type: 'function_call', arguments: '' })
  })

  it('has no item that is incomplete', async () => {
    const sent = await eventsOf('chat', scripts.chat.events.slice(0, 2))
    expect(sent.at(-1)).toMatchObject({ type: 'response.failed', response: { output: [] } })
  })
})

const refusal = (status: number, code?: string) =>
  toProviderError({
    type: 'refused',
    status,
    message: 'No.',
    beforeFirstByte: false,
    ...(code === undefined ? {} : { code }),
  })

it.each([
  ['server_error', toProviderError({ type: 'timed-out', phase: 'idle', message: 'Silence.' })],
  ['server_error', refusal(529, 'overloaded')],
  ['server_error', refusal(401)],
  ['rate_limit_exceeded', refusal(429)],
  ['rate_limit_exceeded', refusal(429, 'tpm')],
  ['insufficient_quota', refusal(429, 'insufficient_quota')],
  ['invalid_prompt', refusal(400, 'invalid_value')],
  ['context_length_exceeded', refusal(400, 'context_length_exceeded')],
  ['invalid_image', refusal(400, 'invalid_image')],
])("a response that failed has OpenAI's code %s", (code, error) => {
  expect(failedResponse({}, error)).toMatchObject({ error: { code }, output: [], tools: [], metadata: {} })
})
