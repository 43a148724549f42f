import { describe, expect, it } from 'vitest'
import { fakeProvider } from './fake-provider.ts'
import { ADMIN, expectFailure, openGateway } from './open-gateway.ts'

const messages = [{ role: 'user', content: 'Hi' }]
const user = (content: unknown) => [{ role: 'user', content }]
const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)

/** Sends a body to chat completions and expects a refusal that is not counted. */
async function refuse(body: string | object, status: number, error: { param?: string | null; code?: string | null }) {
  const provider = fakeProvider()
  const open = openGateway({ providers: [provider] })
  const { secret, key } = await open.key()
  const response = await open.send('/v1/chat/completions', { as: secret, method: 'POST', body })
  await expectFailure(response, status, { type: 'invalid_request_error', ...error })
  expect(await open.remaining(key)).toBe(1_000)
  expect([open.records, provider.calls, open.faults]).toEqual([[], [], []])
}

describe('gateway given a malformed body', () => {
  it.each([
    ['', 'missing_required_parameter'],
    ['   ', 'missing_required_parameter'],
    ['{', null],
    ['{"model":"up/big","messages":[{"role":"user","content":"\\x"}]}', null],
    ["{'model':'x'}", null],
    ['NaN', null],
    ['null', 'invalid_type'],
    ['[]', 'missing_required_parameter'],
    ['"x"', 'invalid_type'],
    ['1', 'invalid_type'],
    [nested(100, '[', ']'), 'missing_required_parameter'],
    [nested(29_000, '{"a":', '}').replace('{"a":}', '{"a":1}'), 'missing_required_parameter'],
    [nested(30_001, '[', ']'), null],
  ])('returns 400 for the body $0', async (body, code) => {
    await refuse(body, 400, { code, ...(code === 'missing_required_parameter' ? {} : { param: null }) })
  })

  it('returns 413 for a body that is too large', async () => {
    const body = JSON.stringify({ model: 'up/big', messages: user('x'.repeat(33 * 2 ** 20)) })
    await refuse(body, 413, { code: 'request_too_large', param: null })
  })

  it('returns 400 for a body that is not UTF-8', async () => {
    const open = openGateway()
    const { secret } = await open.key()
    const bytes = new Uint8Array([
      ...new TextEncoder().encode('{"model":"'),
      0xff,
      0xfe,
      ...new TextEncoder().encode('"}'),
    ])
    await expectFailure(await open.send('/v1/chat/completions', { as: secret, body: bytes }), 400, { param: null })
  })
})

describe('gateway given a wrong field', () => {
  it.each([
    ['model', undefined, 'missing_required_parameter'],
    ['model', '', 'invalid_value'],
    ['model', 7, 'invalid_type'],
    ['model', 'x'.repeat(513), 'invalid_value'],
    ['messages', undefined, 'missing_required_parameter'],
    ['messages', [], 'invalid_value'],
    ['messages', 'hello', 'invalid_type'],
    ['temperature', -0.1, 'invalid_value'],
    ['temperature', 2.1, 'invalid_value'],
    ['temperature', '1', 'invalid_type'],
    ['top_p', -1, 'invalid_value'],
    ['top_p', 1.01, 'invalid_value'],
    ['n', 0, 'invalid_value'],
    ['n', 129, 'invalid_value'],
    ['n', 1.5, 'invalid_value'],
    ['stream', 'yes', 'invalid_type'],
    ['max_tokens', 0, 'invalid_value'],
    ['max_tokens', 1.5, 'invalid_value'],
    ['max_completion_tokens', -1, 'invalid_value'],
    ['timeout', 0, 'invalid_value'],
    ['timeout', 3601, 'invalid_value'],
    ['timeout', 2.5, 'invalid_value'],
    ['timeout', '30', 'invalid_type'],
    ['presence_penalty', 2.5, 'invalid_value'],
    ['frequency_penalty', -2.5, 'invalid_value'],
    ['logprobs', 1, 'invalid_type'],
    ['seed', 1.5, 'invalid_value'],
    ['parallel_tool_calls', 'no', 'invalid_type'],
    ['user', 5, 'invalid_type'],
    ['tools', {}, 'invalid_type'],
    ['functions', [], 'invalid_value'],
  ])('returns 400 for %s: %j', async (field, value, code) => {
    await refuse({ model: 'up/big', messages, [field]: value }, 400, { param: field, code })
  })

  it.each([
    [{ messages: [{ role: 'wizard', content: 'x' }] }, 'messages[0].role'],
    [{ response_format: { type: '' } }, 'response_format.type'],
    [{ tools: [{ type: 'x'.repeat(65) }] }, 'tools[0].type'],
    [{ messages: user([{ type: 'x'.repeat(65) }]) }, 'messages[0].content[0].type'],
    [{ tool_choice: 'sometimes' }, 'tool_choice'],
  ])('returns `invalid_value` for a text that is not allowed: %j', async (fields, param) => {
    await refuse({ model: 'up/big', messages, ...fields }, 400, { param, code: 'invalid_value' })
  })

  it.each([
    [{ stop: [] }, 'stop'],
    [{ stop: Array.from({ length: 1_025 }, String) }, 'stop'],
    [{ stop: ['a', 5] }, 'stop'],
    [{ stop: 5 }, 'stop'],
    [{ tool_choice: {} }, 'tool_choice.type'],
    [{ tool_choice: { type: 'function', name: 'f' } }, 'tool_choice.function'],
    [{ response_format: {} }, 'response_format.type'],
    [{ tools: [{ type: 5 }] }, 'tools[0].type'],
    [{ logit_bias: { 5: 101 } }, 'logit_bias[5]'],
    [{ top_logprobs: 21, logprobs: true }, 'top_logprobs'],
    [{ top_logprobs: 3 }, 'top_logprobs'],
    [{ stream_options: { include_usage: true } }, 'stream_options'],
    [{ stream: true, stream_options: { include_usage: 'yes' } }, 'stream_options.include_usage'],
    [{ response_format: { type: 'json_schema', json_schema: {} } }, 'response_format.json_schema.name'],
    [{ tools: [{ type: 'function', function: {} }] }, 'tools[0].function.name'],
    [{ metadata: { a: 'x'.repeat(513) } }, 'metadata.a'],
    [{ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [index, ''])) }, 'metadata'],
    [{ messages: [{ content: 'x' }] }, 'messages[0].role'],
    [{ messages: [...messages, { role: 'user' }] }, 'messages[1].content'],
    [{ messages: user(null) }, 'messages[0].content'],
    [{ messages: user([{ type: 'text' }]) }, 'messages[0].content[0].text'],
    [{ messages: user([{ type: 'image_url', image_url: 5 }]) }, 'messages[0].content[0].image_url'],
    [{ messages: user([{ type: 'video_url', video_url: {} }]) }, 'messages[0].content[0].video_url.url'],
    [{ messages: user([{ type: 'image_url', image_url: {} }]) }, 'messages[0].content[0].image_url.url'],
    [{ messages: user([{ text: 'x' }]) }, 'messages[0].content[0].type'],
    [{ messages: user([{ type: 5 }]) }, 'messages[0].content[0].type'],
    [{ messages: [{ role: 'assistant', tool_calls: [{ id: 'a' }] }] }, 'messages[0].tool_calls[0].function'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id'],
    [
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f' } }] }] },
      'messages[0].tool_calls[0].function.arguments',
    ],
    [{ messages: ['hello'] }, 'messages[0]'],
  ])('returns 400 and the parameter for %j', async (fields, param) => {
    await refuse({ model: 'up/big', messages, ...fields }, 400, { param })
  })
})

it.each([
  ['"top_x":', '[', ']'],
  ['"tool_choice":', '{"type":"allowed_tools","allowed_tools":{"mode":', '}}'],
])('refuses a request that is nested too deep, before it reaches a provider: %s', async (field, open, close) => {
  for (const levels of [300, 9_000]) {
    const value = `${open.repeat(levels)}"auto"${close.repeat(levels)}`
    const body = `{"model":"up/big","messages":[{"role":"user","content":"x"}],${field}${value}}`
    await refuse(body, 400, { code: 'invalid_value', param: null })
  }
})

describe('gateway given values at their bounds', () => {
  it.each([
    [{ temperature: 0 }],
    [{ temperature: 2, top_p: 1, n: 128, max_tokens: 1, timeout: 3600, presence_penalty: -2, frequency_penalty: 2 }],
    [{ top_p: 0, timeout: 1, logprobs: true, top_logprobs: 20, logit_bias: { 5: -100, 6: 100 } }],
    [{ temperature: null, stop: null, n: null, tools: null, timeout: null, stream_options: null, metadata: null }],
    [{ stop: ['a', 'b', 'c', 'd'], seed: -5, user: '' }],
    [{ messages: user('\u0000 \ud800 🔑') }],
    [{ messages: user('') }],
    [{ messages: user([]) }],
    [{ messages: [{ role: 'assistant', content: null, refusal: 'no' }] }],
    [{ messages: [{ role: 'developer', content: [{ type: 'text', text: 'x' }], name: 'n' }] }],
    [{ messages: [{ role: 'function', content: null, name: 'f' }] }],
    [
      {
        messages: user([
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'high' } },
          { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
          { type: 'file', file: { file_id: 'f' } },
        ]),
      },
    ],
    [
      {
        top_k: 5,
        thinking: { type: 'enabled' },
        provider: { order: ['a'] },
        reasoning_effort: 'max',
        verbosity: 'low',
      },
    ],
    [
      {
        tools: [
          {
            type: 'function',
            function: { name: 'f', parameters: JSON.parse(nested(100, '{"a":', '}').replace('{"a":}', '{"a":1}')) },
          },
        ],
        tool_choice: { type: 'function', function: { name: 'f' } },
      },
    ],
    [
      {
        tools: [{ type: 'custom', custom: { name: 'c', format: { type: 'text' } } }],
        tool_choice: 'auto',
        parallel_tool_calls: false,
      },
    ],
    [{ functions: [{ name: 'f' }], function_call: { name: 'f' } }],
    [{ stop: Array.from({ length: 1_024 }, String) }],
    [
      {
        messages: user([
          { type: 'image_url', image_url: 'https://example.com/a.png' },
          { type: 'video_url', video_url: { url: 'https://example.com/a.mp4', fps: 2 } },
          { type: 'audio_url', audio_url: { url: 'https://example.com/a.wav' } },
          { type: 'document_url', document_url: 'https://example.com/a.pdf', document_name: 'a' },
          { type: 'hologram', depth: [1, { a: null }] },
        ]),
      },
    ],
    [
      {
        messages: [
          {
            role: 'assistant',
            content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'x' }] }],
            tool_calls: [
              { id: 'a', function: { name: 'f', arguments: '{}' } },
              { id: 'b', type: 'search', query: 'x' },
            ],
          },
        ],
      },
    ],
    [
      {
        tools: [
          { type: 'builtin_function', function: { name: '$web_search' } },
          { type: 'openrouter:web_search' },
          { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
        ],
        tool_choice: { type: 'tool', name: 'web_search' },
      },
    ],
    [{ response_format: { type: 'grammar', grammar: 'root ::= "a"' } }],
    [{ response_format: { type: 'structural_tag', structures: [{ begin: '<a>', schema: {}, end: '</a>' }] } }],
    [{ response_format: { type: 'regex', pattern: '[0-9]+' } }],
  ])('passes $0 to the provider', async (fields) => {
    const provider = fakeProvider()
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    const response = await open.chat(secret, fields)
    expect({ status: response.status, error: (await response.json()).error }).toEqual({ status: 200, error: undefined })
    const { timeout: _, ...rest } = JSON.parse(JSON.stringify(fields))
    expect(JSON.parse(provider.calls[0]?.sent ?? '')).toMatchObject(rest)
  })

  it('never sets a prototype from `__proto__` in the body', async () => {
    const provider = fakeProvider()
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    const body =
      '{"__proto__":{"polluted":1},"model":"up/big","messages":[{"role":"user","content":"x","__proto__":{"role":"system"}}]}'
    expect((await open.send('/v1/chat/completions', { as: secret, body })).status).toBe(200)
    expect(provider.calls[0]?.body).not.toHaveProperty('polluted')
    expect(Object.keys({})).toEqual([])
  })

  it('accepts bodies up to the limit of the host', async () => {
    const open = openGateway({ routes: { chatBodyLimit: 2_000 } })
    const { secret } = await open.key()
    expect((await open.chat(secret, { messages: user('x'.repeat(1_000)) })).status).toBe(200)
    expect((await open.chat(secret, { messages: user('x'.repeat(2_000)) })).status).toBe(413)
  })
})

it.each([
  [{ model: 1 }, "Invalid 'model': expected a string, but got the number 1."],
  [
    { messages: user([{ type: 'text', text: null }]) },
    "Invalid 'messages[0].content[0].text': expected a string, but got null.",
  ],
  [{ tools: [{ type: '' }] }, "Invalid 'tools[0].type': must not be empty."],
  [{ temperature: 9 }, "Invalid 'temperature': must be at most 2."],
])('the message for %j names the field and what is allowed', async (fields, message) => {
  const open = openGateway()
  const { secret } = await open.key()
  const response = await open.chat(secret, fields)
  expect((await response.json()).error.message).toBe(message)
})

it.each([
  ['/v1/responses/resp_1/input_items?limit=101', 'limit', '1 to 100'],
  ['/v1/responses/resp_1/input_items?limit=1000', 'limit', '1 to 100'],
  ['/v1/responses/resp_1/input_items?limit=x', 'limit', '1 to 100'],
  ['/v1/conversations/conv_1/items?limit=0', 'limit', '1 to 100'],
  ['/v1/usage?limit=1000000', 'limit', '1 to 10000'],
  ['/v1/auth/keys?limit=10000', 'limit', '1 to 1000'],
  ['/search?q=x&max_results=10000', 'max_results', '1 to 100'],
])('the message for %s has the range', async (path, param, range) => {
  const open = openGateway()
  const message = `Invalid '${param}': must be a whole number from ${range}.`
  await expectFailure(await open.send(path, { as: ADMIN }), 400, { param, message })
})

it('returns 405 in the form of all errors for a method that the path does not support', async () => {
  const open = openGateway()
  const response = await open.send('/v1/chat/completions', { method: 'GET' })
  expect(response.headers.get('allow')).toContain('POST')
  await expectFailure(response, 405, { code: 'method_not_allowed' })
})
