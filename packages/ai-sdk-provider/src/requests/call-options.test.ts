import { type ChatCompletionRequest, ProviderFailure } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { context } from '../../../gateway-core/tests/provider-calls.ts'
import { callOptions } from './call-options.ts'
import { v2CallOptions, v3CallOptions } from './earlier-specification.ts'

const user = { role: 'user', content: 'Hi' } as const
const { signal } = context()

const optionsOf = ({ messages = [user], ...fields }: Partial<ChatCompletionRequest> = {}) =>
  callOptions({ model: 'x', messages, ...fields }, { signal, headers: { traceparent: 't' } }, undefined)

function errorOf(fields: Partial<ChatCompletionRequest>) {
  try {
    optionsOf(fields)
  } catch (thrown) {
    if (ProviderFailure.is(thrown)) return thrown.error
    throw thrown
  }
  throw new Error('It was translated')
}

const PNG = 'data:image/png;base64,iVBORw0KGgo='
const PAGE = 'https://example.com/cat.png'

const conversation: ChatCompletionRequest['messages'] = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'developer',
    content: [
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B' },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: PNG } },
      { type: 'image_url', image_url: { url: PAGE } },
      { type: 'input_audio', input_audio: { data: 'UklG', format: 'mp3' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
    ],
  },
  {
    role: 'assistant',
    content: 'Wait',
    refusal: null,
    tool_calls: [
      { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
      { id: 'c2', type: 'function', function: { name: 'g', arguments: '' } },
      { id: 'c3', type: 'function', function: { name: 'g', arguments: '{"a":"lo' } },
    ],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'one' },
  {
    role: 'tool',
    tool_call_id: 'c2',
    content: [
      { type: 'text', text: 'two' },
      { type: 'image_url', image_url: { url: PNG } },
    ],
  },
]

describe('callOptions', () => {
  it('converts the conversation', () => {
    expect(optionsOf({ messages: conversation }).prompt).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: 'A\nB' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } },
          { type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL(PAGE) } },
          { type: 'file', mediaType: 'audio/mpeg', data: { type: 'data', data: 'UklG' } },
          { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data: { type: 'data', data: 'JVBERi0=' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Wait' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'f', input: { a: 1 } },
          { type: 'tool-call', toolCallId: 'c2', toolName: 'g', input: {} },
          { type: 'tool-call', toolCallId: 'c3', toolName: 'g', input: { INVALID_JSON: '{"a":"lo' } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'f', output: { type: 'text', value: 'one' } },
          {
            type: 'tool-result',
            toolCallId: 'c2',
            toolName: 'g',
            output: {
              type: 'content',
              value: [
                { type: 'text', text: 'two' },
                { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } },
              ],
            },
          },
        ],
      },
    ])
  })

  it('converts the settings', () => {
    const schema = { type: 'object', properties: {} }
    const options = optionsOf({
      max_tokens: 1,
      max_completion_tokens: 2,
      temperature: 0,
      top_p: 0.5,
      top_k: 4,
      presence_penalty: 1,
      frequency_penalty: -1,
      seed: 7,
      stop: ['a', 'b'],
      reasoning_effort: 'high',
      response_format: { type: 'json_schema', json_schema: { name: 'n', description: 'd', schema } },
      tools: [{ type: 'function', function: { name: 'f', description: 'F', strict: true } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      user: 'u',
    })
    expect(options).toEqual({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      abortSignal: signal,
      headers: { traceparent: 't' },
      maxOutputTokens: 2,
      temperature: 0,
      topP: 0.5,
      topK: 4,
      presencePenalty: 1,
      frequencyPenalty: -1,
      seed: 7,
      stopSequences: ['a', 'b'],
      reasoning: 'high',
      responseFormat: { type: 'json', schema, name: 'n', description: 'd' },
      tools: [{ type: 'function', name: 'f', description: 'F', inputSchema: schema, strict: true }],
      toolChoice: { type: 'tool', toolName: 'f' },
    })
  })

  it('adds no settings that the request does not have', () => {
    expect(Object.keys(optionsOf())).toEqual(['prompt', 'abortSignal', 'headers'])
    expect(optionsOf({ stop: 'x', response_format: { type: 'json_object' }, tool_choice: 'none' })).toMatchObject({
      stopSequences: ['x'],
      responseFormat: { type: 'json' },
    })
    expect(optionsOf({ response_format: { type: 'text' } })).not.toHaveProperty('responseFormat')
  })

  it('requires a call for the word any', () => {
    const tools = [{ type: 'function' as const, function: { name: 'a' } }]
    expect(optionsOf({ tools, tool_choice: 'any' })).toMatchObject({ toolChoice: { type: 'required' } })
  })

  it('offers only the tools that are allowed', () => {
    const tools = ['a', 'b'].map((name) => ({ type: 'function' as const, function: { name } }))
    const allowed = { mode: 'auto', tools: [{ type: 'function', function: { name: 'b' } }] }
    expect(optionsOf({ tools, tool_choice: { type: 'allowed_tools', allowed_tools: allowed } })).toMatchObject({
      tools: [{ name: 'b' }],
      toolChoice: { type: 'auto' },
    })
  })

  it.each([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['logit_bias', { logit_bias: { '5': 1 } }],
    ['modalities', { modalities: ['audio'] }],
    ['functions', { functions: [{ name: 'f' }] }],
    ['web_search_options', { web_search_options: {} }],
    ['tools[0]', { tools: [{ type: 'custom' as const, custom: { name: 'c' } }] }],
    ['messages[0].role', { messages: [{ role: 'function' as const, name: 'f', content: '1' }] }],
    [
      'messages[0].content[0].file',
      { messages: [{ role: 'user' as const, content: [{ type: 'file' as const, file: { file_id: 'f' } }] }] },
    ],
    [
      'messages[0].content[0]',
      {
        messages: [{ role: 'system' as const, content: [{ type: 'image_url' as const, image_url: { url: PNG } }] }],
      },
    ],
  ])('throws for the unsupported parameter %s', (param, fields) => {
    expect(errorOf(fields)).toMatchObject({ type: 'unsupported', param })
  })

  it.each([
    ['messages[0].tool_call_id', [{ role: 'tool' as const, tool_call_id: 'c9', content: '' }]],
    [
      'messages[0].tool_calls[0].function.arguments',
      [
        {
          role: 'assistant' as const,
          tool_calls: [
            {
              id: '1',
              type: 'function' as const,
              function: { name: 'f', arguments: `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}` },
            },
          ],
        },
      ],
    ],
    [
      'messages[0].content[0].image_url.url',
      [{ role: 'user' as const, content: [{ type: 'image_url' as const, image_url: { url: 'file:///etc/passwd' } }] }],
    ],
  ])('throws for the invalid value of %s', (param, messages) => {
    expect(errorOf({ messages })).toMatchObject({ type: 'refused', status: 400, code: 'invalid_value', param })
  })
})

describe('callOptions of earlier specifications', () => {
  const tools = [{ type: 'function' as const, function: { name: 'f', strict: true } }]
  const options = optionsOf({ messages: conversation, reasoning_effort: 'low', tools })

  it('convert files to untyped data for version 3', () => {
    const { prompt, ...rest } = v3CallOptions(options)
    expect(rest).not.toHaveProperty('reasoning')
    expect(rest.tools).toMatchObject([{ name: 'f', strict: true }])
    expect(prompt[2]).toMatchObject({
      content: [
        { type: 'text', text: 'Look' },
        { mediaType: 'image/png', data: 'iVBORw0KGgo=' },
        { mediaType: 'image/*', data: new URL(PAGE) },
        { mediaType: 'audio/mpeg', data: 'UklG' },
        { mediaType: 'application/pdf', data: 'JVBERi0=' },
      ],
    })
    expect(prompt[4]).toMatchObject({
      content: [
        { output: { type: 'text', value: 'one' } },
        { output: { value: [{ type: 'text' }, { type: 'image-data', data: 'iVBORw0KGgo=', mediaType: 'image/png' }] } },
      ],
    })
  })

  it('convert files to media, and omit strict, for version 2', () => {
    const { prompt, tools: offered, ...rest } = v2CallOptions(options)
    expect(rest).not.toHaveProperty('reasoning')
    expect(offered).toEqual([{ type: 'function', name: 'f', inputSchema: { type: 'object', properties: {} } }])
    expect(prompt[4]).toMatchObject({
      content: [{}, { output: { value: [{ type: 'text' }, { type: 'media', data: 'iVBORw0KGgo=' }] } }],
    })
  })

  it('accept URLs in results of tools only from version 3 on', () => {
    const [call, result] = [conversation[3], { role: 'tool' as const, tool_call_id: 'c1', content: [imagePart] }]
    const withAddress = optionsOf({ messages: [user, ...(call ? [call] : []), result] })
    expect(v3CallOptions(withAddress).prompt[2]).toMatchObject({
      content: [{ output: { value: [{ type: 'image-url', url: PAGE }] } }],
    })
    expect(() => v2CallOptions(withAddress)).toThrow(ProviderFailure)
  })
})

const imagePart = { type: 'image_url' as const, image_url: { url: PAGE } }
