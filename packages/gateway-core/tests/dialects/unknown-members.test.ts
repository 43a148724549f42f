import { describe, expect, it } from 'vitest'
import { chatTranslation as chat } from '../../src/dialects/chat/chat-translation.ts'
import type { JsonObject } from '../../src/dialects/dialect.ts'
import { messagesTranslation as messages } from '../../src/dialects/messages/messages-translation.ts'
import { responsesTranslation as responses } from '../../src/dialects/responses/responses-translation.ts'
import type { DialectTranslation } from '../../src/dialects/translation.ts'
import { writeOptions } from '../messages/message-context.ts'
import { openGateway } from '../open-gateway.ts'
import { dialectUpstream } from './dialect-upstream.ts'

const base = { chat: {}, responses: {}, messages: { max_tokens: 4000 } }

const written = (from: DialectTranslation, to: DialectTranslation, fields: JsonObject) =>
  to.writeRequest(from.readRequest({ model: 'm', ...base[from.dialect], ...fields }), writeOptions())

const hi = { role: 'user', content: 'Hi' }
const user = (...content: readonly JsonObject[]) => [{ role: 'user', content }]
const schema = { type: 'object', properties: {}, additionalProperties: false }
const url = 'https://example.com/a.png'
const data = 'data:application/pdf;base64,AAAA'

const called = (call: JsonObject, result: JsonObject = {}) => [
  hi,
  { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', ...call }] },
  { role: 'tool', tool_call_id: 'c', content: 'Yes', ...result },
]

const ofChat: readonly (readonly [string, JsonObject])[] = [
  ['messages.foo', { messages: [{ ...hi, foo: 1 }] }],
  ['messages.foo', { messages: [{ role: 'system', content: 'Be kind', foo: 1 }, hi] }],
  ['messages.content.foo', { messages: user({ type: 'text', text: 'Hi', foo: 1 }) }],
  ['messages.content.image_url.foo', { messages: user({ type: 'image_url', image_url: { url, foo: 1 } }) }],
  ['messages.content.file.foo', { messages: user({ type: 'file', file: { file_data: data, foo: 1 } }) }],
  ['messages.tool_calls.extra_content', { messages: called({ function: { name: 'f' }, extra_content: {} }) }],
  ['messages.tool_calls.function.foo', { messages: called({ function: { name: 'f', foo: 1 } }) }],
  ['messages.foo', { messages: called({ function: { name: 'f' } }, { foo: 1 }) }],
  ['messages.reasoning_details', { messages: [hi, { role: 'assistant', content: 'A', reasoning_details: [{}] }, hi] }],
  ['tools.foo', { messages: [hi], tools: [{ type: 'function', function: { name: 'f' }, foo: 1 }] }],
  ['tools.function.foo', { messages: [hi], tools: [{ type: 'function', function: { name: 'f', foo: 1 } }] }],
  ['functions.foo', { messages: [hi], functions: [{ name: 'f', foo: 1 }] }],
  [
    'tool_choice.foo',
    {
      messages: [hi],
      tools: [{ type: 'function', function: { name: 'f' } }],
      tool_choice: { type: 'function', function: { name: 'f' }, foo: 1 },
    },
  ],
  [
    'response_format.json_schema.foo',
    { messages: [hi], response_format: { type: 'json_schema', json_schema: { name: 'a', schema, foo: 1 } } },
  ],
  ['web_search_options.foo', { messages: [hi], web_search_options: { foo: 1 } }],
  ['thinking.foo', { messages: [hi], thinking: { type: 'enabled', budget_tokens: 2000, foo: 1 } }],
  ['reasoning.foo', { messages: [hi], reasoning: { effort: 'low', exclude: false, foo: 1 } }],
  ['stream_options.foo', { messages: [hi], stream: true, stream_options: { include_usage: true, foo: 1 } }],
]

const item = (members: JsonObject) => [hi, { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }, members]
const fn = { type: 'function', name: 'f', parameters: {} }

const ofResponses: readonly (readonly [string, JsonObject])[] = [
  ['input.foo', { input: [{ ...hi, foo: 1 }] }],
  ['input.content.foo', { input: user({ type: 'input_text', text: 'Hi', foo: 1 }) }],
  ['input.content.detail', { input: user({ type: 'input_file', file_data: data, detail: 'high' }) }],
  ['input.foo', { input: [hi, { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}', foo: 1 }] }],
  ['input.foo', { input: item({ type: 'function_call_output', call_id: 'c', output: 'A', foo: 1 }) }],
  ['input.caller', { input: item({ type: 'function_call_output', call_id: 'c', output: 'A', caller: { type: 'x' } }) }],
  ['input.tools.foo', { input: [hi, { type: 'additional_tools', tools: [{ ...fn, foo: 1 }] }] }],
  ['tools.foo', { input: 'Hi', tools: [{ ...fn, foo: 1 }] }],
  ['tools.defer_loading', { input: 'Hi', tools: [{ ...fn, defer_loading: true }] }],
  ['tools.allowed_callers', { input: 'Hi', tools: [{ ...fn, allowed_callers: ['programmatic'] }] }],
  ['tools.output_schema', { input: 'Hi', tools: [{ ...fn, output_schema: {} }] }],
  ['tools.tools.foo', { input: 'Hi', tools: [{ type: 'namespace', name: 'n', tools: [{ ...fn, foo: 1 }] }] }],
  ['tool_choice.foo', { input: 'Hi', tools: [fn], tool_choice: { type: 'function', name: 'f', foo: 1 } }],
  ['text.foo', { input: 'Hi', text: { format: { type: 'text' }, foo: 1 } }],
  ['text.format.foo', { input: 'Hi', text: { format: { type: 'json_schema', name: 'a', schema, foo: 1 } } }],
  ['reasoning.foo', { input: 'Hi', reasoning: { effort: 'low', foo: 1 } }],
  ['stream_options.foo', { input: 'Hi', stream: true, stream_options: { foo: 1 } }],
  ['context_management', { input: 'Hi', context_management: [{ type: 'compaction', compact_threshold: 1000 }] }],
]

const use = { type: 'tool_use', id: 'c', name: 'f', input: { any: 1 } }
const used = (block: JsonObject, result: JsonObject = {}) => [
  hi,
  { role: 'assistant', content: [block] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'A', ...result }] },
]

const ofMessages: readonly (readonly [string, JsonObject])[] = [
  ['messages.foo', { messages: [{ ...hi, foo: 1 }] }],
  ['messages.content.foo', { messages: user({ type: 'text', text: 'Hi', foo: 1 }) }],
  ['messages.content.foo', { messages: user({ type: 'image', source: { type: 'url', url }, foo: 1 }) }],
  ['messages.content.source.foo', { messages: user({ type: 'image', source: { type: 'url', url, foo: 1 } }) }],
  ['messages.content.foo', { messages: used({ ...use, foo: 1 }) }],
  ['messages.content.foo', { messages: used(use, { foo: 1 }) }],
  ['messages.content.content.foo', { messages: used(use, { content: [{ type: 'text', text: 'A', foo: 1 }] }) }],
  ['system.foo', { messages: [hi], system: [{ type: 'text', text: 'A', foo: 1 }] }],
  ['tools.eagerInput', { messages: [hi], tools: [{ name: 'f', input_schema: schema, eagerInput: true }] }],
  [
    'tool_choice.foo',
    { messages: [hi], tools: [{ name: 'f', input_schema: schema }], tool_choice: { type: 'auto', foo: 1 } },
  ],
  ['thinking.foo', { messages: [hi], thinking: { type: 'enabled', budget_tokens: 2000, foo: 1 } }],
  ['output_config.format.foo', { messages: [hi], output_config: { format: { type: 'json_schema', schema, foo: 1 } } }],
  ['metadata.foo', { messages: [hi], metadata: { user_id: 'a', foo: 1 } }],
  ['betas', { messages: [hi], betas: ['a'] }],
]

const over = (cases: typeof ofChat, from: DialectTranslation, ...upstreams: readonly DialectTranslation[]) =>
  cases.flatMap(([name, fields]) => upstreams.map((to) => [from.dialect, to.dialect, name, from, to, fields] as const))

describe('a member below the top level that the gateway does not know', () => {
  it.each([
    ...over(ofChat, chat, messages, responses),
    ...over(ofResponses, responses, chat, messages),
    ...over(ofMessages, messages, chat, responses),
  ])('stays out of %s over %s, under the name %s', (_, __, name, from, to, fields) => {
    const { body, omitted } = written(from, to, fields)
    expect(omitted).toEqual([name])
    expect(JSON.stringify(body)).not.toMatch(/foo|compaction/)
  })

  it('appears once, with any name, in a header that has an end', () => {
    const names = Array.from({ length: 500 }, (_, index) => [`m${index}`, 1] as const)
    const { omitted } = written(chat, responses, { messages: [{ ...hi, ...Object.fromEntries(names) }, hi] })
    expect(omitted.length).toBeLessThanOrEqual(64)
    const long = written(chat, responses, {
      messages: Array(3).fill({ ...hi, ['a'.repeat(9000)]: 1, __proto__: null }),
    })
    expect(long.omitted).toEqual([`messages.${'a'.repeat(128)}`])
  })

  it.each<[DialectTranslation, DialectTranslation, JsonObject]>([
    [
      chat,
      messages,
      { messages: [{ ...hi, foo: null }, { role: 'assistant', content: 'A', id: 'a', prefix: false }, hi] },
    ],
    [
      responses,
      chat,
      {
        input: [
          { ...hi, id: 'a', status: 'completed' },
          {
            type: 'function_call',
            id: 'fc_1',
            status: 'completed',
            call_id: 'c',
            name: 'f',
            arguments: '{}',
            caller: { type: 'direct' },
          },
        ],
        tools: [{ ...fn, defer_loading: false, allowed_callers: ['direct'], output_schema: null }],
      },
    ],
    [
      messages,
      responses,
      {
        messages: used({ ...use, input: { foo: { bar: 1 } }, caller: { type: 'direct' } }),
        tools: [{ name: 'f', input_schema: { ...schema, foo: 1 }, defer_loading: false }],
      },
    ],
  ])('stays unnamed where it asks for nothing, like members of schemas and arguments', (from, to, fields) => {
    expect(written(from, to, fields).omitted).toEqual([])
  })

  it('appears in a safe header, with any name that its client wrote', async () => {
    const { provider } = await dialectUpstream('messages')
    const open = openGateway({ providers: [provider], retries: { retries: 0 } })
    const { secret } = await open.key()
    const strange = { 'a\r\nset-cookie: b': 1, 'c,d é': 1, ['e'.repeat(5000)]: 1 }
    const body = { model: 'up/big', messages: [{ ...hi, ...strange }] }
    const response = await open.send('/v1/chat/completions', { as: secret, body })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-trivium-omitted')).toBe(
      `messages.a__set-cookie:_b, messages.c_d__, messages.${'e'.repeat(91)}`,
    )
  })
})
