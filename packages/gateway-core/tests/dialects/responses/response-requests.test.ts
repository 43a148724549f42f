import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chatTranslation } from '../../../src/dialects/chat/chat-translation.ts'
import type { ConversationRequest, Turn } from '../../../src/dialects/conversation/conversation-request.ts'
import type { JsonObject } from '../../../src/dialects/dialect.ts'
import { responsesTranslation } from '../../../src/dialects/responses/responses-translation.ts'
import { ProviderFailure } from '../../../src/providers/provider-error.ts'
import { request } from './request-arbitraries.ts'
import { emptyRequest, withoutPlaces, writeOptions } from './response-context.ts'

const read = (body: JsonObject) => responsesTranslation.readRequest(body)
const write = (request: Partial<ConversationRequest>, more = {}) =>
  responsesTranslation.writeRequest({ ...emptyRequest, ...request }, { ...writeOptions, ...more })

const refusalOf = (action: () => unknown): unknown => {
  try {
    return action()
  } catch (error) {
    if (ProviderFailure.is(error)) return 'param' in error.error ? error.error.param : error.error.type
    throw error
  }
}

describe('requests for responses', () => {
  it('keep all that responses carry, written and read again', () => {
    fc.assert(
      fc.property(request, (original) => {
        const { body, omitted } = responsesTranslation.writeRequest(original, writeOptions)
        expect(omitted).toEqual([])
        const { settings, names, ...again } = read(JSON.parse(JSON.stringify(body)))
        const { store, ...others } = settings
        expect(store).toBe(false)
        expect(withoutPlaces({ ...again, settings: others, names: {} })).toEqual(withoutPlaces(original))
      }),
    )
  })

  it('keep a text of the system as input where there is no other one', () => {
    const turns: readonly Turn[] = [{ role: 'system', content: [{ type: 'text', text: 'Say hello.' }], at: '' }]
    const { body } = write({ turns })
    expect(body).not.toHaveProperty('instructions')
    expect(body.input).toMatchObject([{ role: 'system', content: [{ type: 'input_text', text: 'Say hello.' }] }])
  })

  it('refuse hostile values as failures of the request only', () => {
    const members = ['input', 'instructions', 'tools', 'tool_choice', 'text', 'reasoning', 'include', 'metadata']
    const types = ['message', 'reasoning', 'function_call', 'function_call_output', 'web_search_call', 'namespace']
    const hostile = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, '', 'data:;base64,', 'trivium.', 'trivium.e30=', -1, 1e300, true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom('type', 'role', 'content', 'summary', 'encrypted_content', 'output', 'name', '__proto__'),
          fc.oneof(tie('value'), fc.constantFrom(...types, 'user', 'assistant', 'system', 'input_file', 'custom')),
        ),
      ),
    })).value
    const body = fc.dictionary(fc.constantFrom(...members), hostile)
    fc.assert(
      fc.property(body, (value) => {
        refusalOf(() => write(read(value)))
      }),
      { numRuns: 500 },
    )
  })

  it('read a text as what the user says, and instructions as the system', () => {
    expect(read({ instructions: 'Be brief.', input: 'Hi' }).turns).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.', at: 'instructions' }], at: 'instructions' },
      { role: 'user', content: [{ type: 'text', text: 'Hi', at: 'input' }], at: 'input' },
    ])
  })

  it('read items of the model that follow each other as one turn', () => {
    const { turns } = read({
      input: [
        { role: 'user', content: 'List files' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Listing.' }] },
        { type: 'function_call', call_id: 'c1', name: 'ls', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'a.txt' },
      ],
    })
    expect(turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(turns[1]).toMatchObject({
      at: 'input[1]',
      content: [
        { type: 'reasoning', encrypted: 'gAAAA' },
        { type: 'text', text: 'Listing.', at: 'input[2].content[0]' },
        { type: 'tool-call', at: 'input[3]' },
      ],
    })
  })

  it('flatten the tools of a namespace, and take dated searches as web search', () => {
    const tools = [
      { type: 'namespace', name: 'files', description: 'Files', tools: [{ type: 'function', name: 'read' }] },
      { type: 'web_search_preview_2025_03_11', search_context_size: 'low' },
      { type: 'mcp', server_label: 'x' },
    ]
    expect(read({ input: 'Hi', tools, max_tool_calls: 3 })).toMatchObject({
      tools: [
        { type: 'function', name: 'read', namespace: 'files', at: 'tools[0].tools[0]' },
        { type: 'web-search', name: 'web_search_preview_2025_03_11', contextSize: 'low' },
        { type: 'hosted', name: 'mcp', dialect: 'responses' },
      ],
      extra: { max_tool_calls: 3 },
    })
  })

  it.each([
    ['computer_call', 'assistant'],
    ['mcp_call', 'assistant'],
    ['local_shell_call', 'assistant'],
    ['image_generation_call', 'assistant'],
    ['file_search_call', 'assistant'],
    ['code_interpreter_call', 'assistant'],
    ['compaction', 'assistant'],
    ['computer_call_output', 'user'],
    ['local_shell_call_output', 'user'],
    ['mcp_approval_response', 'user'],
    ['future_item', 'assistant'],
  ])('read the item %s as foreign, and write it again', (type, role) => {
    const item = { type, id: 'x' }
    const conversation = read({ input: [item] })
    expect(conversation.turns).toMatchObject([{ role, content: [{ type: 'foreign', name: type, at: 'input[0]' }] }])
    expect(write(conversation).body.input).toEqual([item])
  })

  it.each<[string, JsonObject]>([
    ['input[0]', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['input[0]', { input: [{ id: 'msg_1' }] }],
    ['input[0]', { input: ['Hi'] }],
    ['input[0].role', { input: [{ role: 'critic', content: 'Hi' }] }],
    ['input[0].content[0]', { input: [{ role: 'user', content: [{ type: 'input_video' }] }] }],
    ['input[0].content[0]', { input: [{ role: 'user', content: [{ type: 'input_image' }] }] }],
    ['input[0].call_id', { input: [{ type: 'function_call_output', output: '' }] }],
    ['input[0].encrypted_content', { input: [{ type: 'reasoning', summary: [], encrypted_content: 'trivium.%' }] }],
    ['tools[0].name', { input: 'Hi', tools: [{ type: 'function' }] }],
    ['tool_choice', { input: 'Hi', tool_choice: 'any' }],
  ])('refuse %s by its name where it cannot be read', (param, body) => {
    expect(refusalOf(() => read(body))).toBe(param)
  })

  it('name fields without a place, and hints apart from them', () => {
    const body = { input: 'Hi', truncation: 'auto', prompt: { id: 'p' }, client_metadata: { a: '1' }, user: null }
    expect(read(body)).toMatchObject({
      extra: { truncation: 'auto', prompt: { id: 'p' }, client_metadata: { a: '1' } },
      hints: ['truncation', 'client_metadata'],
    })
    expect(read({ input: 'Hi', truncation: 'disabled', background: true, conversation: 'c' }).extra).toEqual({})
  })

  it.each<[string, Partial<ConversationRequest>]>([
    ['stop_sequences', { settings: { stop: ['END'] } }],
    ['n', { settings: { choices: 2 } }],
    ['presence_penalty', { settings: { presencePenalty: 1 } }],
    ['logit_bias', { settings: { logitBias: { 50256: -100 } } }],
    ['prediction', { extra: { prediction: {} } }],
    ['messages[1]', { turns: [userWith({ type: 'audio', data: '', format: 'wav', at: 'messages[1]' })] }],
    [
      'messages[2]',
      { turns: [userWith({ type: 'foreign', dialect: 'messages', name: 'x', value: {}, at: 'messages[2]' })] },
    ],
    ['tool_choice', { toolChoice: { type: 'hosted', name: 'bash', dialect: 'messages', value: {} } }],
    ['tool_choice', { toolChoice: { type: 'required' } }],
  ])("refuse %s of another dialect by the client's name", (param, request) => {
    const names = {
      stop: 'stop_sequences',
      choices: 'n',
      presencePenalty: 'presence_penalty',
      logitBias: 'logit_bias',
    }
    expect(refusalOf(() => write({ names, ...request }))).toBe(param)
  })

  it('name the fields of reasoning that another dialect does not carry', () => {
    const sent = read({
      ...{ model: 'm', input: 'Hi', include: ['reasoning.encrypted_content'] },
      reasoning: { effort: 'low', summary: 'auto' },
    })
    const { body, omitted } = chatTranslation.writeRequest(sent, writeOptions)
    expect(omitted).toEqual(['reasoning.summary', 'include'])
    expect(body).toMatchObject({ reasoning_effort: 'low' })
  })

  it('leave out and list hosted tools, hints, marks of a cache, and reasoning of other upstreams', () => {
    const { body, omitted } = write({
      tools: [
        { type: 'hosted', name: 'bash_20250124', dialect: 'messages', value: {}, at: 'tools[0]' },
        { type: 'function', name: 'f', cacheControl: { type: 'ephemeral' }, at: 'tools[1]' },
      ],
      turns: [
        { role: 'assistant', at: 'm', content: [{ type: 'reasoning', text: 'Hm', summary: [], signature: 's' }] },
      ],
      extra: { context_management: {} },
      hints: ['context_management'],
    })
    expect(omitted).toEqual(['context_management', 'thinking', 'bash_20250124', 'cache_control'])
    expect(body).toMatchObject({ input: [], tools: [{ type: 'function', name: 'f', strict: false }], store: false })
  })

  it('request encrypted reasoning where a client of messages returns thinking', () => {
    expect(write({ settings: { reasoning: { budgetTokens: 5000 } } }).body).toMatchObject({
      reasoning: { effort: 'medium' },
      include: ['reasoning.encrypted_content'],
    })
  })

  it('offer custom tools as functions where the upstream lacks them', () => {
    const turns: readonly Turn[] = [
      {
        role: 'assistant',
        at: 'm',
        content: [{ type: 'tool-call', callId: 'c', kind: 'custom', name: 'p', input: 'x' }],
      },
      { role: 'tool', callId: 'c', kind: 'custom', content: [{ type: 'text', text: 'ok' }], at: 'm' },
    ]
    const tools = [{ type: 'custom', name: 'p', grammar: { syntax: 'lark', definition: 'start: x' }, at: 't' }] as const
    expect(write({ turns, tools }, { customTools: false }).body).toMatchObject({
      input: [
        { type: 'function_call', arguments: '{"input":"x"}' },
        { type: 'function_call_output', output: 'ok' },
      ],
      tools: [{ type: 'function', name: 'p', description: expect.stringContaining('start: x') }],
    })
  })
})

function userWith(part: Extract<Turn, { role: 'user' }>['content'][number]): Turn {
  return { role: 'user', content: [part], at: 'messages[9]' }
}
