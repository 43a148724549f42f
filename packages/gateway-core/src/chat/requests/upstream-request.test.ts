import { expect, it } from 'vitest'
import type { ChatCompletionRequest } from '../chat-request.ts'
import { UpstreamRequest } from './upstream-request.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function encode(json: string, model: string, asksUsage = true, changes?: Record<string, unknown>) {
  const raw = encoder.encode(json)
  const request = new UpstreamRequest(model, JSON.parse(json) as ChatCompletionRequest, raw, { asksUsage }) // JSON of the test
  return { raw, encoded: request.encode(changes), text: decoder.decode(request.encode(changes)) }
}

it("returns the client's own bytes where no member changes", () => {
  const { raw, encoded } = encode('{"model":"m", "messages":[]}', 'm')
  expect(encoded).toBe(raw)
  const streamed = encode('{"model":"m","stream":true,"stream_options":{"include_usage":true}}', 'm')
  expect(streamed.encoded).toBe(streamed.raw)
})

it('replaces the model and removes the timeout', () => {
  expect(encode('{"model":"p/m","timeout":3,"top_k":5}', 'm').text).toBe('{"model":"m","top_k":5}')
  expect(encode('{"model":"m","timeout":null}', 'm').text).toBe('{"model":"m"}')
})

it('replaces the word any by the one that every upstream has', () => {
  expect(encode('{"tool_choice": "any","model":"m"}', 'm').text).toBe('{"tool_choice": "required","model":"m"}')
  const named = '{"model":"m","tool_choice":{"type":"function","function":{"name":"any"}}}'
  expect(encode(named, 'm').text).toBe(named)
})

it.each([
  ['{"model":"m","stream":true}', '{"model":"m","stream":true,"stream_options":{"include_usage":true}}'],
  [
    '{"model":"m","stream":true,"stream_options":null}',
    '{"model":"m","stream":true,"stream_options":{"include_usage":true}}',
  ],
  [
    '{"model":"m","stream":true,"stream_options":{"include_usage":false,"x":1}}',
    '{"model":"m","stream":true,"stream_options":{"include_usage":true,"x":1}}',
  ],
  ['{"model":"m","stream":false}', '{"model":"m","stream":false}'],
])('requests the usage where it is a stream: %s', (json, text) => {
  expect(encode(json, 'm').text).toBe(text)
  expect(encode(json, 'm', false).text).toBe(json)
})

it.each(['m', 'p/m'])('removes the byte order mark of the client, for the model %s', (model) => {
  const body: ChatCompletionRequest = { model, messages: [] }
  const raw = encoder.encode(`\uFEFF${JSON.stringify(body)}`)
  const encoded = new UpstreamRequest('m', body, raw, { asksUsage: true }).encode()
  expect(Buffer.from(encoded).toString('latin1')).toBe('{"model":"m","messages":[]}')
})

it("applies a provider's own changes in addition to those of the gateway", () => {
  const changes = { max_tokens: undefined, max_completion_tokens: 5 }
  expect(encode('{"model":"p/m","max_tokens":5}', 'm', true, changes).text).toBe(
    '{"model":"m","max_completion_tokens":5}',
  )
})

it('encodes a body that the host has parsed', () => {
  const body = { model: 'p/m', messages: [], stream: true, timeout: 4 }
  const text = decoder.decode(new UpstreamRequest('m', body, undefined, { asksUsage: true }).encode())
  expect(JSON.parse(text)).toEqual({ model: 'm', messages: [], stream: true, stream_options: { include_usage: true } })
})

it.each([
  ['{"n":128,"model":"p/m","n":1}', '{"model":"m","n":1}'],
  [
    '{"model":"other","n":128,"m\\u006fdel":"p/m","\\u006e":1,"x":{"n":1,"n":2}}',
    '{"m\\u006fdel":"m","\\u006e":1,"x":{"n":1,"n":2}}',
  ],
  ['{"n":128, "n":64, "model":"p/m", "n":1, "timeout":3}', '{"model":"m", "n":1}'],
])('keeps the last of repeated members, as the gateway has read them, where a member changes: %s', (json, text) => {
  expect(JSON.parse(encode(json, 'm').text)).toEqual(JSON.parse(text))
  expect(encode(json, 'm').text.match(/"(?:n|\\u006e)":/g)).toHaveLength(text.match(/"(?:n|\\u006e)":/g)?.length ?? 0)
})
