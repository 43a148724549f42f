import { type ChatCompletionRequest, ProviderFailure } from '@trivium/gateway-core/ports'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixture, fixtureNames } from '../../tests/fixtures.ts'
import { arbitraryMessage } from '../../tests/message-arbitraries.ts'
import { chatCompletion } from '../answers/chat-completion.ts'
import { type MessagesRequestOptions, messagesRequest } from './messages-request.ts'

const user = { role: 'user', content: 'Hi' } as const

const translated = (
  { messages = [user], ...fields }: Partial<ChatCompletionRequest> = {},
  options: Partial<MessagesRequestOptions> = {},
) =>
  messagesRequest(
    { model: 'x', messages, ...fields },
    { model: 'm', defaultMaxTokens: 8192, reasoning: 'adaptive', stream: false, ...options },
  )

function errorOf(fields: Partial<ChatCompletionRequest>) {
  try {
    translated(fields)
  } catch (thrown) {
    if (ProviderFailure.is(thrown)) return thrown.error
    throw thrown
  }
  throw new Error('It was translated')
}

describe('messagesRequest', () => {
  it.each(fixtureNames)('converts the recorded request %s', (name) => {
    const { chat, messages } = fixture(name)
    expect(translated(chat, { model: 'claude-example', stream: chat.stream === true })).toEqual(messages)
  })

  it('keeps an answer with its signatures when the client sends it back', () => {
    fc.assert(
      fc.property(arbitraryMessage, (message) => {
        const { message: answer } = chatCompletion(message, 0).choices[0] ?? {}
        if (!answer) throw new Error('It has no choice')
        const { content, ...rest } = answer
        const { messages } = translated({ messages: [user, { ...rest, content: content ?? null }, user] })
        const blocks = message.content.filter(({ type, text }) => type !== 'text' || text !== '')
        expect(messages.flatMap(({ role, content: sent }) => (role === 'assistant' ? asBlocks(sent) : []))).toEqual(
          blocks,
        )
      }),
    )
  })

  it('keeps the limit and the temperature of the client, and adds no tool choice', () => {
    expect(translated({ max_tokens: 7, temperature: 0 })).toEqual({
      model: 'm',
      max_tokens: 7,
      temperature: 0,
      messages: [{ role: 'user', content: 'Hi' }],
    })
    expect(translated({ max_tokens: 7, max_completion_tokens: 9 }).max_tokens).toBe(9)
  })

  it('passes unknown fields and those of the Messages API on', () => {
    const thinking = { type: 'enabled', budget_tokens: 2000 }
    expect(
      translated({ future: [1], container: 'c', thinking, reasoning_effort: 'high', output_config: { effort: 'max' } }),
    ).toMatchObject({ future: [1], container: 'c', thinking, output_config: { effort: 'max' } })
  })

  it.each([
    ['none', 'adaptive', undefined],
    ['medium', 'adaptive', { type: 'adaptive' }],
    ['medium', 'budget', { type: 'enabled', budget_tokens: 8191 }],
    ['low', 'budget', { type: 'enabled', budget_tokens: 2048 }],
    ['none', 'budget', undefined],
  ] as const)('converts the effort %s for %s reasoning', (reasoning_effort, reasoning, thinking) => {
    expect(translated({ reasoning_effort }, { reasoning }).thinking).toEqual(thinking)
  })

  it('omits thinking if the limit leaves no room', () => {
    expect(translated({ reasoning_effort: 'high', max_tokens: 1024 }, { reasoning: 'budget' })).not.toHaveProperty(
      'thinking',
    )
  })

  it('omits turns without content, and white space at the end', () => {
    const { messages } = translated({
      messages: [
        user,
        { role: 'assistant', content: '' },
        { role: 'user', content: [{ type: 'text', text: '' }] },
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: 'The answer is \n' },
      ],
    })
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'text', text: 'Go' },
        ],
      },
      { role: 'assistant', content: 'The answer is' },
    ])
    expect(translated({ messages: [user, { role: 'assistant', content: ' ' }] }).messages).toHaveLength(1)
  })

  it('keeps a refusal of the model as its text', () => {
    expect(translated({ messages: [user, { role: 'assistant', refusal: 'No.' }, user] }).messages[1]).toEqual({
      role: 'assistant',
      content: 'No.',
    })
  })

  it.each([
    ['none', { type: 'none' }],
    ['auto', { type: 'auto', disable_parallel_tool_use: true }],
    ['required', { type: 'any', disable_parallel_tool_use: true }],
    [undefined, { type: 'auto', disable_parallel_tool_use: true }],
  ] as const)('disables parallel tools with the choice %s', (tool_choice, expected) => {
    const tools = [{ type: 'function' as const, function: { name: 'f' } }]
    const choice = tool_choice === undefined ? {} : { tool_choice }
    expect(translated({ tools, parallel_tool_calls: false, ...choice }).tool_choice).toEqual(expected)
  })

  it('offers only the tools that are allowed', () => {
    const tools = ['a', 'b', 'c'].map((name) => ({ type: 'function' as const, function: { name } }))
    const allowed = { mode: 'required', tools: [{ type: 'function', function: { name: 'b' } }] }
    expect(translated({ tools, tool_choice: { type: 'allowed_tools', allowed_tools: allowed } })).toMatchObject({
      tools: [{ name: 'b' }],
      tool_choice: { type: 'any' },
    })
  })
})

describe('messagesRequest with an unsupported parameter', () => {
  it.each([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['logit_bias', { logit_bias: { '5': 1 } }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['audio', { audio: { format: 'wav' } }],
    ['functions', { functions: [{ name: 'f' }] }],
    ['web_search_options', { web_search_options: {} }],
    ['response_format', { response_format: { type: 'json_object' as const } }],
    ['tools[0]', { tools: [{ type: 'custom' as const, custom: { name: 'c' } }] }],
    ['tool_choice', { tool_choice: { type: 'custom' as const, custom: { name: 'c' } } }],
    ['messages[0].role', { messages: [{ role: 'function' as const, name: 'f', content: '1' }] }],
    [
      'messages[0].content[0]',
      {
        messages: [
          {
            role: 'user' as const,
            content: [{ type: 'input_audio' as const, input_audio: { data: '', format: 'wav' } }],
          },
        ],
      },
    ],
    [
      'messages[0].content[0].file',
      { messages: [{ role: 'user' as const, content: [{ type: 'file' as const, file: { file_id: 'f1' } }] }] },
    ],
    [
      'messages[0].tool_calls[0]',
      {
        messages: [
          {
            role: 'assistant' as const,
            tool_calls: [{ id: '1', type: 'custom' as const, custom: { name: 'c', input: '' } }],
          },
        ],
      },
    ],
    [
      'messages[0].content[0]',
      {
        messages: [
          {
            role: 'system' as const,
            content: [{ type: 'image_url' as const, image_url: { url: 'https://example.com/a.png' } }],
          },
        ],
      },
    ],
  ])('throws for %s', (param, fields) => {
    expect(errorOf(fields)).toMatchObject({ type: 'unsupported', param, retryable: false, beforeFirstByte: true })
  })

  it('accepts default values', () => {
    const fields = {
      n: 1,
      logprobs: false,
      logit_bias: {},
      modalities: ['text'],
      response_format: { type: 'text' as const },
    }
    expect(translated(fields)).toEqual(translated())
  })
})

describe('messagesRequest with an invalid value', () => {
  it.each([
    '{',
    '[1]',
    '"x"',
    'null',
    '1',
    `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  ])('throws for arguments that are not an object, or are nested too deeply: %.20s', (given) => {
    const tool_calls = [{ id: '1', type: 'function' as const, function: { name: 'f', arguments: given } }]
    expect(errorOf({ messages: [user, { role: 'assistant', tool_calls }] })).toMatchObject({
      type: 'refused',
      status: 400,
      code: 'invalid_value',
      param: 'messages[1].tool_calls[0].function.arguments',
    })
  })

  it.each(['ftp://example.com/x', 'data:image/png,plain', '/etc/passwd', ''])('throws for an image at %j', (url) => {
    expect(
      errorOf({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] }),
    ).toMatchObject({
      status: 400,
      param: 'messages[0].content[0].image_url.url',
    })
  })
})

const asBlocks = (content: string | readonly object[]): readonly object[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content
