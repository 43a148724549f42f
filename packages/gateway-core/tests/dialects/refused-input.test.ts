import type { Dialect } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { openGateway } from '../open-gateway.ts'
import { scripts } from './dialect-scripts.ts'
import { dialectUpstream } from './dialect-upstream.ts'

async function ask(front: Dialect, upstream: Dialect, body: object) {
  const server = await dialectUpstream(upstream)
  const gateway = openGateway({ providers: [server.provider] })
  const { secret } = await gateway.key()
  const response = await gateway.send(scripts[front].path, { as: secret, body: { model: 'up/big', ...body } })
  return { status: response.status, body: await response.json(), seen: server.seen }
}

const call = { type: 'function_call', call_id: 'c1', name: 'weather', arguments: '{}' }
const result = { type: 'function_call_output', call_id: 'c1', output: 'Sun' }
const custom = { type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: 'x' }
const customResult = { type: 'custom_tool_call_output', call_id: 'c2', output: 'Sun' }
const user = { role: 'user', content: 'The weather?' }
const withParts = (...content: readonly object[]) => [{ role: 'user', content }]

describe.each(['chat', 'messages'] as const)('a client of responses over an upstream of %s', (upstream) => {
  it.each([
    ['input', 'must have a message with content', []],
    ['input[1].call_id', 'No tool call found for function call output with call_id c1.', [user, result]],
    ['input[1].call_id', 'No tool call found for function call output with call_id c1.', [user, result, call]],
    ['input[2].call_id', 'No tool call found for custom tool call output with call_id c2.', [user, call, customResult]],
    [
      'input[0].content[0].image_url',
      'A data URL must be in base64.',
      withParts({ type: 'input_image', image_url: 'data:image/svg+xml,<svg/>' }),
    ],
    [
      'input[0].content[0].file_data',
      'A data URL must be in base64.',
      withParts({ type: 'input_file', filename: 'a.txt', file_data: 'data:text/plain,Hello' }),
    ],
  ])('gets an error that names %s', async (param, message, input) => {
    const { status, body, seen } = await ask('responses', upstream, { input })
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { param, message: expect.stringContaining(message) } })
    expect(seen).toEqual([])
  })

  it('gets the answer where each result follows its call', async () => {
    const { status } = await ask('responses', upstream, { input: [user, call, custom, customResult, result] })
    expect(status).toBe(200)
  })

  it('gets the answer about an image whose data URL is written in capitals', async () => {
    const part = { type: 'input_image', image_url: 'DATA:image/png;BASE64,iVBORw0KGgo=' }
    const { status, seen } = await ask('responses', upstream, { input: withParts(part) })
    expect(status).toBe(200)
    expect(seen[0]?.body).toContain('iVBORw0KGgo=')
  })
})

it.each([
  ['responses', { input: '' }, 'input'],
  ['responses', { input: withParts({ type: 'input_text', text: '' }) }, 'input'],
  ['chat', { messages: [{ role: 'user', content: '' }] }, 'messages'],
] as const)('a client of %s gets an error where only empty texts %j are left for a messages upstream', async (front, body, param) => {
  const { status, body: answer, seen } = await ask(front, 'messages', body)
  expect(status).toBe(400)
  expect(answer).toMatchObject({ error: { param } })
  expect(seen).toEqual([])
})
