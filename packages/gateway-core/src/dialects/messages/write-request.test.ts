import { describe, expect, it } from 'vitest'
import { conversation, writeOptions, written } from '../../../tests/messages/message-context.ts'
import { ProviderFailure } from '../../providers/provider-error.ts'
import type { ConversationRequest, ConversationTool, Turn } from '../conversation/conversation-request.ts'
import { messagesTranslation } from './messages-translation.ts'
import { toolNames } from './tool-names.ts'

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const cacheControl = { type: 'ephemeral' }
const user = (text: string, marks = {}): Turn => ({
  role: 'user',
  content: [{ type: 'text', text, ...marks }],
  at: 'messages[0]',
})
const tool = (name: string, fields = {}): ConversationTool => ({ type: 'function', name, at: 'tools[0]', ...fields })
const schema = (value: Record<string, unknown>): Partial<ConversationRequest> => ({
  format: { type: 'schema', schema: value },
})

const omittedOf = (fields: Partial<ConversationRequest>, model = 'claude-opus-4-6') =>
  messagesTranslation.writeRequest(conversation(fields), writeOptions({ model })).omitted

function failureOf(fields: Partial<ConversationRequest>) {
  try {
    written(fields)
  } catch (thrown) {
    if (ProviderFailure.is(thrown)) return thrown.error
    throw thrown
  }
  throw new Error('It did not fail')
}

describe('a request of messages', () => {
  it('keeps the mark of a cache on a single text', () => {
    expect(written({ turns: [user('Hi', { cacheControl })] }).messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: cacheControl }] },
    ])
  })

  it('gets marks of the cache after tools, system and the last two turns of the user', () => {
    const turns: readonly Turn[] = [
      { role: 'system', content: [{ type: 'text', text: 'Rules' }], at: '' },
      user('1'),
      { role: 'assistant', content: [{ type: 'text', text: 'a' }], at: '' },
      user('2'),
      { role: 'assistant', content: [{ type: 'text', text: 'b' }], at: '' },
      user('3'),
    ]
    const fields = { turns, tools: [tool('f'), tool('g')] }
    const marked = written(fields, { cacheBreakpoints: true })
    expect(JSON.stringify(marked).split('"cache_control"')).toHaveLength(5)
    expect(marked).toMatchObject({
      tools: [{ name: 'f' }, { name: 'g', cache_control: cacheControl }],
      system: [{ cache_control: cacheControl }],
      messages: [
        { content: '1' },
        {},
        { content: [{ text: '2', cache_control: cacheControl }] },
        {},
        { content: [{ text: '3', cache_control: cacheControl }] },
      ],
    })
    const own = { turns: [user('x', { cacheControl })], tools: [tool('f')] }
    expect(written(own, { cacheBreakpoints: true })).toEqual(written(own))
  })

  it('has the last text of the system as a turn of the user where there is no other turn', () => {
    const system = (text: string, marks = {}): Turn => ({
      role: 'system',
      content: [{ type: 'text', text, ...marks }],
      at: 'messages[0]',
    })
    const single = written({ turns: [system('Say hello.')] })
    expect(single.messages).toEqual([{ role: 'user', content: 'Say hello.' }])
    expect(single).not.toHaveProperty('system')
    expect(written({ turns: [system('Rules', { cacheControl }), system('Say hello.')] })).toMatchObject({
      system: [{ text: 'Rules', cache_control: cacheControl }],
      messages: [{ role: 'user', content: 'Say hello.' }],
    })
    expect(written({ turns: [system('Rules'), user('Hi')] })).toMatchObject({
      system: 'Rules',
      messages: [{ role: 'user', content: 'Hi' }],
    })
  })

  const bytes = (mediaType: string) => ({ type: 'base64' as const, mediaType, data: 'AAAA' })
  const withImage = (mediaType: string): Partial<ConversationRequest> => ({
    turns: [
      { role: 'user', content: [{ type: 'image', source: bytes(mediaType), at: 'input[0].content[1]' }], at: '' },
    ],
  })
  const withFile = (mediaType: string): Partial<ConversationRequest> => ({
    turns: [{ role: 'user', content: [{ type: 'file', source: bytes(mediaType), at: 'input[0].content[1]' }], at: '' }],
  })

  it.each(['image/jpg', 'image/pjpeg', 'IMAGE/JPEG'])('names images of %s as image/jpeg', (mediaType) => {
    for (const fields of [withImage(mediaType), withFile(mediaType)]) {
      expect(written(fields).messages).toMatchObject([
        { content: [{ type: 'image', source: { media_type: 'image/jpeg', data: 'AAAA' } }] },
      ])
    }
  })

  it.each([
    ['an image', withImage('image/svg+xml'), 'image/svg+xml'],
    ['a document', withFile('image/svg+xml'), 'image/svg+xml'],
    ['a document', withFile(DOCX), DOCX],
  ])('refuses %s of a type that Anthropic does not take, by its name', (_, fields, mediaType) => {
    const error = failureOf(fields)
    expect(error).toMatchObject({ type: 'unsupported', param: 'input[0].content[1]' })
    expect(error.message).toContain(`'${mediaType}'`)
  })

  it('merges turns of one role, with results of tools first', () => {
    const turns: readonly Turn[] = [
      { role: 'assistant', content: [call('a'), call('b')], at: '' },
      user('Wait'),
      result('a'),
      result('b'),
    ]
    expect(written({ turns }).messages).toMatchObject([
      { role: 'assistant', content: [{ id: 'a' }, { id: 'b' }] },
      {
        role: 'user',
        content: [{ tool_use_id: 'a' }, { tool_use_id: 'b' }, { type: 'text', text: 'Wait' }],
      },
    ])
  })

  it('has the same accepted id in a call and its result, and the reader restores it', () => {
    const turns = [{ role: 'assistant' as const, content: [call('fc:1 é')], at: '' }, result('fc:1 é')]
    const body = written({ turns })
    const text = JSON.stringify(body)
    const [, id = ''] = /"id":"([^"]*)"/.exec(text) ?? []
    expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
    expect(text).toContain(`"tool_use_id":"${id}"`)
    expect(messagesTranslation.readRequest(body).turns).toMatchObject([
      { content: [{ callId: 'fc:1 é' }] },
      { callId: 'fc:1 é' },
    ])
  })

  it('names tools of namespaces and custom tools so that each is unique', () => {
    const tools: readonly ConversationTool[] = [
      tool('read', { namespace: 'files' }),
      tool('files__read'),
      { type: 'custom', name: 'patch', grammar: { syntax: 'lark', definition: 'start: "x"' }, at: '' },
    ]
    const body = written({ tools })
    expect(body.tools).toMatchObject([
      { name: 'files__read' },
      { name: 'files__read_2' },
      { name: 'patch', description: expect.stringContaining('start: "x"'), input_schema: { required: ['input'] } },
    ])
    expect(toolNames({ tools }).toolOf('files__read')).toMatchObject({ name: 'read', namespace: 'files' })
    const long = toolNames({ tools: [tool('a'.repeat(200)), tool(`b${'a'.repeat(200)}`)] })
    expect(long.nameOf({ name: 'a'.repeat(200) })).toHaveLength(64)
    expect(long.nameOf({ name: `b${'a'.repeat(200)}` })).not.toBe(long.nameOf({ name: 'a'.repeat(200) }))
  })

  it('gives the same names to the same tools, whose names are alike or taken', () => {
    const tools = ['é', 'é_', 'é__2', 'ü', `${'a'.repeat(64)}é`, `${'a'.repeat(64)}ü`].map((name) =>
      tool(name, { namespace: 'ns' }),
    )
    const names = (all: typeof tools) => all.map((one) => toolNames({ tools: all }).nameOf(one))
    expect(names(tools)).toEqual([
      'ns___',
      'ns____',
      'ns_____2',
      'ns____2',
      `${'a'.repeat(63)}_`,
      `${'a'.repeat(58)}_2`,
    ])
    expect(names([...tools, tool('later')]).slice(0, tools.length)).toEqual(names(tools))
  })

  it.each([
    [{ effort: 'high' }, 'claude-opus-4-6', { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }],
    [{ effort: 'minimal' }, 'claude-x', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
    [{ effort: 'none' }, 'claude-opus-4-6', { thinking: { type: 'disabled' } }],
    [{ budgetTokens: 3000 }, 'claude-opus-5', { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } }],
    [
      { effort: 'low', summary: 'auto' },
      'claude-opus-4-7',
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
    ],
  ])('has the reasoning %j of %s as %j', (reasoning, model, expected) => {
    const { model: _, max_tokens, messages, ...rest } = written({ settings: { reasoning } }, { model })
    expect(rest).toEqual(expected)
  })

  it.each([
    ['minimal', 8192, 1024],
    ['constructor', 8192, 1024],
    ['low', 8192, 2048],
    ['high', 8192, 8191],
    ['max', 100_000, 65_536],
  ])('has a budget below its limit for the effort %s of %i tokens', (effort, maxOutputTokens, budget_tokens) => {
    const settings = { reasoning: { effort }, maxOutputTokens }
    const body = written({ settings }, { reasoning: 'budget' })
    expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens }, max_tokens: maxOutputTokens })
    expect(written({ settings: { ...settings, maxOutputTokens: 1000 } }, { reasoning: 'budget' })).not.toHaveProperty(
      'thinking',
    )
  })

  it('leaves out thinking that a forced tool excludes, and lists it', () => {
    const fields: Partial<ConversationRequest> = {
      tools: [tool('f')],
      toolChoice: { type: 'required' },
      settings: { reasoning: { effort: 'high' } },
    }
    expect(written(fields)).toMatchObject({ tool_choice: { type: 'any' }, output_config: { effort: 'high' } })
    expect(written(fields)).not.toHaveProperty('thinking')
    expect(omittedOf(fields)).toEqual(['reasoning_effort'])
  })

  it('leaves out a budget amid calls whose thinking is unknown', () => {
    const turns = [user('Hi'), { role: 'assistant' as const, content: [call('a')], at: '' }, result('a')]
    const settings = { reasoning: { effort: 'high' } }
    expect(written({ turns, settings }, { reasoning: 'budget' })).not.toHaveProperty('thinking')
  })

  it.each([
    ['claude-sonnet-4-0', { temperature: 2, topP: 0.9 }, { temperature: 1, top_p: 0.9 }, []],
    ['claude-sonnet-4-5', { temperature: 0.2, topP: 0.9 }, { temperature: 0.2 }, ['top_p']],
    ['claude-opus-4-7', { temperature: 0.2, topK: 4 }, {}, ['temperature', 'top_k']],
    ['claude-opus-4-6', { temperature: 0.2, reasoning: { effort: 'none' } }, { temperature: 0.2 }, []],
    ['claude-opus-4-6', { temperature: 0.2, reasoning: { effort: 'low' } }, {}, ['temperature']],
  ])('has the sampling that %s takes for %j', (model, settings, expected, omitted) => {
    const { temperature, top_p, top_k } = written({ settings }, { model })
    expect(JSON.parse(JSON.stringify({ temperature, top_p, top_k }))).toEqual(expected)
    expect(omittedOf({ settings }, model)).toEqual(omitted)
  })

  it('lists the hints and the tools that it leaves out', () => {
    const settings = { seed: 3, presencePenalty: 1, frequencyPenalty: 0, verbosity: 'low', stop: [' ', 'END'] }
    const tools: readonly ConversationTool[] = [
      { type: 'hosted', name: 'file_search', dialect: 'responses', value: {}, at: '' },
    ]
    expect(omittedOf({ settings, tools, extra: { prediction: { type: 'content' } }, hints: ['prediction'] })).toEqual([
      'presence_penalty',
      'seed',
      'verbosity',
      'prediction',
      'file_search',
      'stop',
    ])
  })

  it.each([
    [{ settings: { choices: 2 } }, 'n'],
    [{ settings: { logProbabilities: 0 } }, 'logprobs'],
    [{ settings: { logitBias: { 7: 1 } } }, 'logit_bias'],
    [{ extra: { modalities: ['audio'] } }, 'modalities'],
    [{ toolChoice: { type: 'hosted', name: 'file_search', dialect: 'responses', value: {} } }, 'tool_choice'],
    [
      { turns: [{ role: 'user', content: [{ type: 'audio', data: '', format: 'wav', at: 'messages[0]' }], at: '' }] },
      'messages[0]',
    ],
  ] satisfies readonly (readonly [
    Partial<ConversationRequest>,
    string,
  ])[])('refuses %j by its name', (fields, param) => {
    expect(failureOf(fields)).toMatchObject({ type: 'unsupported', param })
  })

  it('never sends a signature of the gateway or unsigned reasoning', () => {
    const thought = (signature?: string) => ({ type: 'reasoning' as const, text: 'x', summary: [], signature })
    const content = [thought('trivium.e30='), thought('sig'), thought()].map(({ signature, ...part }) =>
      signature === undefined ? part : { ...part, signature },
    )
    const turns = [user('Hi'), { role: 'assistant' as const, content, at: '' }, user('So?')]
    expect(written({ turns }).messages).toMatchObject([
      {},
      { content: [{ type: 'thinking', thinking: 'x', signature: 'sig' }] },
      {},
    ])
    expect(omittedOf({ turns })).toEqual(['reasoning_content'])
  })
})

describe('the format of an answer in messages', () => {
  const closed = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] }

  it('uses the native field for a schema, whose unsupported keywords move to descriptions', () => {
    expect(written(schema(closed)).output_config).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          ...closed,
          properties: { n: { type: 'integer', description: 'minimum: 1' } },
          additionalProperties: false,
        },
      },
    })
  })

  it.each([
    ['an open object', { type: 'object' }, 'claude-opus-4-6'],
    ['an open map', { type: 'object', properties: {}, additionalProperties: { type: 'string' } }, 'claude-opus-4-6'],
    ['a recursion', { $ref: '#/$defs/a', $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } } }, 'claude-x'],
    ['an older model', closed, 'claude-3-7-sonnet-latest'],
  ])('forces a tool for %s', (_, value, model) => {
    expect(written(schema(value), { model })).toMatchObject({
      tools: [{ name: 'trivium_answer', input_schema: value }],
      tool_choice: { type: 'tool', name: 'trivium_answer' },
    })
  })

  it('adds a tool to the others for JSON without a schema', () => {
    expect(written({ format: { type: 'json' }, tools: [tool('f')] })).toMatchObject({
      tools: [{ name: 'f' }, { name: 'trivium_answer', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any' },
    })
  })

  it('asks for it by words where thinking excludes a forced tool', () => {
    const body = written({ format: { type: 'json' }, settings: { reasoning: { effort: 'low' } } })
    expect(body).toMatchObject({ system: expect.stringContaining('trivium_answer'), tool_choice: { type: 'auto' } })
  })
})

const call = (callId: string) => ({
  type: 'tool-call' as const,
  callId,
  kind: 'function' as const,
  name: 'f',
  input: '{}',
})

const result = (callId: string): Turn => ({ role: 'tool', callId, kind: 'function', content: [], at: '' })
