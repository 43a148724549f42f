import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chatTranslation } from '../../../src/dialects/chat/chat-translation.ts'
import type { ConversationRequest, Turn } from '../../../src/dialects/conversation/conversation-request.ts'
import type { JsonObject } from '../../../src/dialects/dialect.ts'
import type { WriteRequestOptions } from '../../../src/dialects/translation.ts'
import { ProviderFailure } from '../../../src/providers/provider-error.ts'
import { emptyRequest } from '../answer-context.ts'
import { withoutPlaces } from '../without-places.ts'
import { arbitraryChatRequest, arbitraryPlainRequest } from './request-arbitraries.ts'

const options: WriteRequestOptions = {
  model: 'example',
  customTools: true,
  defaultMaxTokens: 8192,
  reasoning: 'adaptive',
  cacheBreakpoints: false,
}
const read = (body: JsonObject) => chatTranslation.readRequest(body)
const write = (request: Partial<ConversationRequest>, more: Partial<WriteRequestOptions> = {}) =>
  chatTranslation.writeRequest({ ...emptyRequest, dialect: 'responses', ...request }, { ...options, ...more })

const messagesOf = (turns: readonly Turn[]) => write({ turns }).body.messages
const userTurn: Turn = { role: 'user', content: [{ type: 'text', text: 'Hi' }], at: 'input[0]' }
const readUser = (content: unknown) => read({ messages: [{ role: 'user', content }] }).turns[0]?.content

function errorOf(run: () => unknown) {
  try {
    run()
  } catch (thrown) {
    if (ProviderFailure.is(thrown)) return thrown.error
    throw thrown
  }
  throw new Error('It was translated')
}

describe('a chat request', () => {
  it('keeps all of it when it is written and read, extensions of its client included', () => {
    fc.assert(
      fc.property(arbitraryChatRequest, (request) => {
        const { body, omitted } = chatTranslation.writeRequest(request, options)
        expect(withoutPlaces(read(body))).toEqual(withoutPlaces(request))
        expect(omitted).toEqual([])
      }),
    )
  })

  it('keeps what chat completions carry of another dialect', () => {
    fc.assert(
      fc.property(arbitraryPlainRequest, (request) => {
        const { body, omitted } = chatTranslation.writeRequest(request, options)
        expect(withoutPlaces(read(body))).toEqual(withoutPlaces(request))
        expect(omitted).toEqual([])
      }),
    )
  })

  it('fails only with a refusal for values of any type', () => {
    const names = ['messages', 'tools', 'tool_choice', 'response_format', 'reasoning', 'thinking', 'n', 'stop']
    const message = fc.record({
      role: fc.constantFrom('system', 'user', 'assistant', 'tool', 'other'),
      content: fc.oneof(fc.jsonValue(), fc.array(fc.record({ type: fc.string(), image_url: fc.jsonValue() }))),
      tool_calls: fc.jsonValue(),
      thinking_blocks: fc.jsonValue(),
    })
    fc.assert(
      fc.property(fc.array(message), fc.constantFrom(...names), fc.jsonValue(), (messages, name, value) => {
        try {
          read({ messages, [name]: value })
        } catch (thrown) {
          expect(ProviderFailure.is(thrown)).toBe(true)
        }
      }),
    )
  })
})

describe('the reader of chat requests', () => {
  it.each([
    [{ type: 'image_url', image_url: 'https://example.com/a.png' }, { type: 'image' }],
    [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }, { source: { mediaType: 'image/png' } }],
    [
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      { type: 'audio', format: 'wav' },
    ],
    [{ type: 'file', file: { file_id: 'f1' } }, { source: { type: 'file-id', id: 'f1' } }],
    [
      { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' } },
      { name: 'a.pdf', source: { mediaType: 'application/pdf', data: 'AAAA' } },
    ],
    [
      { type: 'document_url', document_url: 'https://example.com/a.pdf', document_name: 'a.pdf' },
      { type: 'file', name: 'a.pdf', source: { type: 'url' } },
    ],
    [
      { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } },
      { type: 'foreign', dialect: 'chat', name: 'video_url' },
    ],
    [
      { type: 'text', text: 'A', cache_control: { type: 'ephemeral' } },
      { type: 'text', cacheControl: { type: 'ephemeral' } },
    ],
    [
      { type: 'text', text: 'A', prompt_cache_breakpoint: { mode: 'explicit', ttl: '1h' } },
      { cacheControl: { type: 'ephemeral', ttl: '1h' } },
    ],
  ])('reads the part %j', (part, expected) => {
    expect(readUser([part])?.[0]).toMatchObject({ ...expected, at: 'messages[0].content[0]' })
  })

  it.each(['system', 'user', 'assistant'])('gives the mark of a %s message of one text to that text', (role) => {
    const cache_control = { type: 'ephemeral' }
    expect(read({ messages: [{ role, content: 'A', cache_control }] }).turns[0]?.content).toMatchObject([
      { type: 'text', text: 'A', cacheControl: cache_control },
    ])
  })

  it('reads results with the kind of their calls, errors and marks', () => {
    const { turns } = read({
      messages: [
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'c', input: 'x' } }] },
        { role: 'tool', tool_call_id: 'a', content: 'Y', is_error: true, cache_control: { type: 'ephemeral' } },
      ],
    })
    expect(turns[1]).toMatchObject({ kind: 'custom', isError: true, cacheControl: { type: 'ephemeral' } })
  })

  it('reads a call without a type as that of a function', () => {
    const call = { id: 'a', function: { name: 'f', arguments: '{}' } }
    expect(read({ messages: [{ role: 'assistant', tool_calls: [call] }] }).turns[0]?.content).toMatchObject([
      { type: 'tool-call', kind: 'function', name: 'f', input: '{}' },
    ])
  })

  it.each([
    ['any', { type: 'required' }],
    [{ type: 'any' }, { type: 'required' }],
    [
      { type: 'tool', name: 'f' },
      { type: 'tool', kind: 'function', name: 'f' },
    ],
    [
      {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
      },
      { type: 'allowed', required: false, names: ['f'] },
    ],
    [{ type: 'web_search' }, { type: 'hosted', name: 'web_search' }],
  ])('reads the choice %j', (tool_choice, expected) => {
    expect(read({ messages: [], tool_choice }).toolChoice).toMatchObject(expected)
  })

  it.each([
    [
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
      { type: 'web-search', maxUses: 3 },
    ],
    [{ type: 'openrouter:web_search' }, { type: 'web-search', name: 'openrouter:web_search' }],
    [
      { type: 'builtin_function', function: { name: '$web_search' } },
      { type: 'hosted', dialect: 'chat' },
    ],
    [
      { type: 'bash_20250124', name: 'bash' },
      { type: 'hosted', dialect: 'messages', name: 'bash_20250124' },
    ],
    [{ type: 'code_interpreter' }, { type: 'hosted', dialect: 'responses' }],
  ])('reads the tool %j', (tool, expected) => {
    expect(read({ messages: [], tools: [tool] }).tools).toMatchObject([{ ...expected, at: 'tools[0]' }])
  })

  it('reads the search of web_search_options with its place', () => {
    const web_search_options = {
      search_context_size: 'low',
      user_location: { type: 'approximate', approximate: { country: 'IE' } },
    }
    expect(read({ messages: [], web_search_options }).tools).toEqual([
      {
        type: 'web-search',
        name: 'web_search_options',
        contextSize: 'low',
        userLocation: { type: 'approximate', country: 'IE' },
        at: 'web_search_options',
      },
    ])
  })

  it('reads effort, budget and mode of every spelling', () => {
    const reasoningOf = (body: JsonObject) => read({ messages: [], ...body }).settings.reasoning
    expect(reasoningOf({ reasoning_effort: 'low' })).toEqual({ effort: 'low' })
    expect(reasoningOf({ reasoning: { effort: 'high', max_tokens: 9, summary: 'auto' } })).toEqual({
      effort: 'high',
      budgetTokens: 9,
      summary: 'auto',
    })
    expect(reasoningOf({ reasoning: { enabled: false } })).toEqual({ mode: 'disabled' })
    expect(reasoningOf({ thinking: { type: 'enabled', budget_tokens: 8 } })).toEqual({ budgetTokens: 8 })
    expect(reasoningOf({ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } })).toEqual({
      mode: 'adaptive',
      effort: 'max',
    })
  })

  it('keeps fields without a place, and leaves out values that mean nothing', () => {
    expect(
      read({ messages: [], top_a: 1, logit_bias: {}, n: 1, modalities: ['text'], timeout: 3, seed: null }),
    ).toMatchObject({ extra: { top_a: 1 }, settings: {} })
    expect(read({ messages: [], modalities: ['text', 'audio'] }).extra).toEqual({ modalities: ['text', 'audio'] })
  })

  it.each([
    ['messages[0].role', { messages: [{ role: 'function', name: 'f', content: '1' }] }],
    ['response_format', { response_format: { type: 'grammar', grammar: 'x' } }],
    ['messages[0].content[0]', { messages: [{ role: 'system', content: [{ type: 'video_url', video_url: {} }] }] }],
  ])('refuses %s by its name', (param, body) => {
    expect(errorOf(() => read({ messages: [], ...body }))).toMatchObject({ type: 'unsupported', param })
  })
})

describe('the writer of chat requests', () => {
  it('joins turns of the model, so that parallel calls are in one message', () => {
    const callTurn = (id: string): Turn => ({
      role: 'assistant',
      content: [{ type: 'tool-call', callId: id, kind: 'function', name: 'f', input: '' }],
      at: 'input[1]',
    })
    expect(messagesOf([userTurn, callTurn('a'), callTurn('b')])).toEqual([
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
      },
    ])
  })

  it('writes images of results to a message of the user after the last result', () => {
    const result = (callId: string, content: Extract<Turn, { role: 'tool' }>['content']): Turn => ({
      role: 'tool',
      callId,
      kind: 'function',
      content,
      at: 'input[2]',
    })
    const image = { type: 'image' as const, source: { type: 'url' as const, url: 'https://example.com/a.png' } }
    expect(messagesOf([result('a', [image]), result('b', [{ type: 'text', text: 'B' }]), userTurn])).toMatchObject([
      { role: 'tool', tool_call_id: 'a', content: expect.stringContaining('next message') },
      { role: 'tool', tool_call_id: 'b', content: 'B' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'The tool call a returned:' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        ],
      },
      { role: 'user', content: 'Hi' },
    ])
  })

  it('keeps plain reasoning, and leaves out what another upstream verifies, and names it', () => {
    const turn = (part: object): Turn => ({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Think', summary: [], ...part },
        { type: 'text', text: 'Hi' },
      ],
      at: 'input[1]',
    })
    expect(write({ turns: [turn({})] })).toMatchObject({
      body: { messages: [{ reasoning_content: 'Think', content: 'Hi' }] },
      omitted: [],
    })
    const signed = write({ dialect: 'messages', turns: [turn({ signature: 's' })] })
    expect(signed).toMatchObject({ body: { messages: [{ role: 'assistant', content: 'Hi' }] }, omitted: ['thinking'] })
    expect(write({ turns: [turn({ encrypted: 'e' })] }).omitted).toEqual(['reasoning'])
  })

  it('writes developer turns of other dialects as those of the system', () => {
    const turn: Turn = { role: 'system', developer: true, content: [{ type: 'text', text: 'A' }], at: 'input[0]' }
    expect(messagesOf([turn])).toEqual([{ role: 'system', content: 'A' }])
  })

  it('flattens namespaces to unique names of at most 64 characters', () => {
    const namespace = `mcp__${'server'.repeat(10)}`
    const { body } = write({
      tools: [
        { type: 'function', name: 'read', namespace: 'files', at: 'tools[0]' },
        { type: 'function', name: 'files__read', at: 'tools[1]' },
        { type: 'function', name: 'a'.repeat(60), namespace, at: 'tools[2]' },
        { type: 'function', name: `${'a'.repeat(60)}b`, namespace, at: 'tools[3]' },
      ],
    })
    const names: string[] = JSON.parse(JSON.stringify(body.tools)).map(
      (tool: { readonly function: { readonly name: string } }) => tool.function.name,
    )
    expect(names[1]).toBe('files__read')
    expect(new Set(names).size).toBe(4)
    expect(names.filter((name) => name.length > 64 || !/^[\w-]+$/.test(name))).toEqual([])
  })

  it('offers a custom tool as a function with its grammar where the upstream has no custom tools', () => {
    const tool = {
      type: 'custom' as const,
      name: 'patch',
      description: 'Patches.',
      grammar: { syntax: 'lark', definition: 'start: "x"' },
      at: 'tools[0]',
    }
    const turn: Turn = {
      role: 'assistant',
      content: [{ type: 'tool-call', callId: 'a', kind: 'custom', name: 'patch', input: 'x' }],
      at: 'input[1]',
    }
    const { body } = write({ tools: [tool], turns: [turn] }, { customTools: false })
    expect(body).toMatchObject({
      tools: [{ type: 'function', function: { name: 'patch', description: expect.stringContaining('start: "x"') } }],
      messages: [{ tool_calls: [{ type: 'function', function: { arguments: '{"input":"x"}' } }] }],
    })
    expect(write({ tools: [tool], turns: [turn] }).body).toMatchObject({
      tools: [{ type: 'custom', custom: { format: { type: 'grammar', grammar: { syntax: 'lark' } } } }],
      messages: [{ tool_calls: [{ type: 'custom', custom: { input: 'x' } }] }],
    })
  })

  it('leaves out tools that are merely offered, and hints, by the names of the client', () => {
    const { body, omitted } = write({
      tools: [
        { type: 'web-search', name: 'web_search', at: 'tools[0]' },
        { type: 'hosted', name: 'file_search', dialect: 'responses', value: {}, at: 'tools[1]' },
      ],
      toolChoice: { type: 'auto' },
      parallelToolCalls: true,
      settings: { metadata: { a: 'b' }, reasoning: { summary: 'auto', encrypted: true } },
      names: { 'reasoning.summary': 'reasoning.summary', 'reasoning.encrypted': 'include' },
      extra: { truncation: 'disabled', client_metadata: {} },
    })
    expect(omitted).toEqual([
      'client_metadata',
      'web_search',
      'file_search',
      'metadata',
      'reasoning.summary',
      'include',
    ])
    expect(body).toEqual({ model: 'example', messages: [] })
  })

  it('lists no reasoning that a client of messages returns by itself', () => {
    const reasoning = { budgetTokens: 31_999, summary: 'auto', encrypted: true }
    const { body, omitted } = write({ dialect: 'messages', settings: { reasoning } })
    expect(body).toMatchObject({ reasoning_effort: 'high' })
    expect(omitted).toEqual([])
  })

  it('has the detail of an image that every upstream knows', () => {
    const image = { type: 'image' as const, source: { type: 'url' as const, url: 'https://a' }, detail: 'original' }
    expect(write({ turns: [{ role: 'user', content: [image], at: 'input[0]' }] }).body).toMatchObject({
      messages: [{ content: [{ image_url: { detail: 'high' } }] }],
    })
  })

  it('offers only the tools that are allowed', () => {
    const tools = ['a', 'b'].map((name) => ({ type: 'function' as const, name, at: 'tools[0]' }))
    expect(write({ tools, toolChoice: { type: 'allowed', required: true, names: ['b'] } }).body).toMatchObject({
      tools: [{ function: { name: 'b' } }],
      tool_choice: 'required',
    })
  })

  it('converts a budget to an effort, and a stream to one with its usage', () => {
    expect(write({ stream: true, settings: { reasoning: { budgetTokens: 31_999 } } }).body).toMatchObject({
      reasoning_effort: 'high',
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  const foreign = { type: 'foreign', dialect: 'responses', name: 'x', value: {}, at: 'input[0].content[0]' } as const
  const file = { type: 'file', at: 'input[0].content[0]' } as const
  it.each<[string, Partial<ConversationRequest>]>([
    ['input[0].content[0]', { turns: [{ role: 'user', content: [foreign], at: 'input[0]' }] }],
    [
      'input[0].content[0]',
      { turns: [{ role: 'user', content: [{ ...file, source: { type: 'file-id', id: 'f' } }], at: 'input[0]' }] },
    ],
    [
      'input[0].content[0].citations',
      {
        turns: [
          {
            role: 'user',
            content: [{ ...file, source: { type: 'text', text: 'T' }, citations: true }],
            at: 'input[0]',
          },
        ],
      },
    ],
    ['background', { extra: { background: true } }],
    [
      'tool_choice',
      {
        names: { toolChoice: 'tool_choice' },
        toolChoice: { type: 'hosted', name: 'file_search', dialect: 'responses', value: {} },
      },
    ],
    [
      'tool_choice',
      {
        names: { toolChoice: 'tool_choice' },
        tools: [{ type: 'web-search', name: 'web_search', at: 'tools[0]' }],
        toolChoice: { type: 'required' },
      },
    ],
  ])('refuses %s by its name', (param, request) => {
    expect(errorOf(() => write(request))).toMatchObject({ type: 'unsupported', param })
  })
})
