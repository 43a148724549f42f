import { describe, expect, it } from 'vitest'
import { answerContext, conversation, eventsIn, writeOptions } from '../../../tests/messages/message-context.ts'
import { chatTranslation } from '../chat/chat-translation.ts'
import { responsesTranslation } from '../responses/responses-translation.ts'
import { messagesTranslation } from './messages-translation.ts'

const { readRequest, writeAnswer, readAnswer, writeEvents } = messagesTranslation

const base = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] }

describe('a request of messages that is read', () => {
  it('has results of tools as turns, before the words of the user', () => {
    const content = [
      { type: 'text', text: 'Look', cache_control: { type: 'ephemeral' } },
      { type: 'tool_result', tool_use_id: 't1', content: 'a', is_error: true },
      { type: 'tool_result', tool_use_id: 't2', content: [{ type: 'image', source: { type: 'url', url: 'u' } }] },
    ]
    expect(readRequest({ ...base, messages: [{ role: 'user', content }] }).turns).toMatchObject([
      { role: 'tool', callId: 't1', isError: true, content: [{ type: 'text', text: 'a' }] },
      { role: 'tool', callId: 't2', content: [{ type: 'image', source: { type: 'url', url: 'u' } }] },
      {
        role: 'user',
        content: [{ text: 'Look', cacheControl: { type: 'ephemeral' }, at: 'messages[0].content[0]' }],
      },
    ])
  })

  it('keeps instructions amid the conversation where they are', () => {
    const messages = [...base.messages, { role: 'system', content: 'Be brief' }, ...base.messages]
    expect(readRequest({ ...base, messages, system: [{ type: 'text', text: 'A' }] }).turns).toMatchObject([
      { role: 'system' },
      { role: 'user' },
      { role: 'system', content: [{ text: 'Be brief' }] },
      { role: 'user' },
    ])
  })

  it('names the hints of Claude Code, and keeps what only Anthropic has', () => {
    const { extra, hints } = readRequest({
      ...base,
      context_management: { edits: [] },
      betas: ['x'],
      mcp_servers: [],
      container: 'c1',
      tools: [{ name: 'f', input_schema: {}, eager_input_streaming: true }],
    })
    expect(extra).toEqual({
      betas: ['x'],
      context_management: { edits: [] },
      container: 'c1',
      'tools.eager_input_streaming': true,
    })
    expect(hints).toEqual(['context_management', 'betas', 'tools.eager_input_streaming'])
  })

  it.each([
    chatTranslation,
    responsesTranslation,
  ])('reaches another dialect with the hints of Claude Code ($dialect)', ({ writeRequest }) => {
    const { turns: _, ...request } = readRequest({
      ...base,
      context_management: { edits: [] },
      thinking: { type: 'adaptive' },
      metadata: { user_id: 'u' },
      tools: [{ name: 'f', input_schema: { type: 'object' }, eager_input_streaming: true }],
    })
    const { turns } = readRequest({
      ...base,
      system: [{ type: 'text', text: 'A', cache_control: { type: 'ephemeral' } }],
      messages: [...base.messages, { role: 'system', content: 'B' }, ...base.messages],
    })
    expect(writeRequest({ ...request, turns }, writeOptions()).omitted).toEqual(
      expect.arrayContaining(['context_management', 'tools.eager_input_streaming']),
    )
  })

  it('has searches with their results, and tools of Anthropic as hosted ones', () => {
    const content = [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ type: 'web_search_result', url: 'u', title: 't', encrypted_content: 'e' }],
      },
      { type: 'mcp_tool_use', id: 'm', name: 'x' },
    ]
    const tools = [
      { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
      { type: 'bash_20250124', name: 'bash' },
    ]
    const request = readRequest({ ...base, tools, messages: [...base.messages, { role: 'assistant', content }] })
    expect(request.turns[1]).toMatchObject({
      content: [
        { type: 'search-call', query: 'q', results: [{ url: 'u', title: 't', encryptedContent: 'e' }] },
        { type: 'foreign', dialect: 'messages', name: 'mcp_tool_use' },
      ],
    })
    expect(request.tools).toMatchObject([
      { type: 'web-search', name: 'web_search_20250305', maxUses: 2 },
      { type: 'hosted', name: 'bash_20250124' },
    ])
  })

  it.each([
    [{ thinking: { type: 'enabled', budget_tokens: 2000 } }, { budgetTokens: 2000, summary: 'auto', encrypted: true }],
    [{ thinking: { type: 'adaptive', display: 'omitted' } }, { mode: 'adaptive', encrypted: true }],
    [{ thinking: { type: 'disabled' } }, { mode: 'disabled' }],
    [{ output_config: { effort: 'high' } }, { effort: 'high' }],
  ])('has the reasoning of %j', (fields, reasoning) => {
    expect(readRequest({ ...base, ...fields }).settings.reasoning).toEqual(reasoning)
  })

  it('restores the encrypted reasoning and the summaries of another upstream', () => {
    const part = {
      type: 'reasoning' as const,
      text: '',
      summary: ['Ä 1', 'two\n\nlines'],
      id: 'rs_1',
      encrypted: 'gAAA=',
    }
    const message = writeAnswer(
      { id: 'resp_1', model: 'm', created: 1, content: [part], ending: { reason: 'stop' } },
      answerContext(),
    )
    expect(message).toMatchObject({
      id: 'msg_resp_1',
      content: [{ thinking: 'Ä 1\n\ntwo\n\nlines', signature: expect.stringMatching(/^trivium\./) }],
    })
    const messages = [...base.messages, { role: 'assistant', content: message.content }]
    expect(readRequest({ ...base, messages }).turns[1]).toMatchObject({ content: [part] })
  })
})

describe('an answer of messages', () => {
  const request = conversation({
    tools: [
      { type: 'custom', name: 'patch', at: '' },
      { type: 'function', name: 'read', namespace: 'files', at: '' },
    ],
    format: { type: 'json' },
  })
  const context = answerContext({ request, customAsFunctions: new Set(['patch']) })

  it('has the tools of the client again, and its JSON as text', () => {
    const content = [
      { type: 'tool_use', id: 'a', name: 'patch', input: { input: '*** Begin' } },
      { type: 'tool_use', id: 'b', name: 'files__read', input: { p: 1 } },
      { type: 'tool_use', id: 'c', name: 'trivium_answer', input: { ok: true } },
    ]
    expect(readAnswer({ content, stop_reason: 'tool_use' }, context).content).toEqual([
      { type: 'tool-call', callId: 'a', kind: 'custom', name: 'patch', input: '*** Begin' },
      { type: 'tool-call', callId: 'b', kind: 'function', name: 'read', namespace: 'files', input: '{"p":1}' },
      { type: 'text', text: '{"ok":true}' },
    ])
    const alone = readAnswer({ content: content.slice(2), stop_reason: 'tool_use' }, context)
    expect(alone.ending).toEqual({ reason: 'stop' })
  })

  it('reports calls of tools where the upstream reports a stop', () => {
    const part = { type: 'tool-call' as const, callId: 'x', kind: 'function' as const, name: 'f', input: '{"a":' }
    const answer = { id: '', model: 'm', created: 1, content: [part], ending: { reason: 'stop' as const } }
    expect(writeAnswer(answer, answerContext())).toMatchObject({
      id: 'msg_new',
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: 'x', input: { INVALID_JSON: '{"a":' } }],
    })
  })

  it('never interleaves the blocks of calls that overlap', () => {
    const { write } = writeEvents(answerContext())
    const call = (index: number) => ({
      type: 'part' as const,
      index,
      part: { type: 'tool-call' as const, callId: `c${index}`, kind: 'function' as const, name: 'f', input: '' },
    })
    const text = [
      write({ type: 'start', id: 'x', model: 'm', created: 1 }),
      write(call(0)),
      write(call(1)),
      write({ type: 'text', index: 1, text: '{"b":' }),
      write({ type: 'text', index: 0, text: '{}' }),
      write({ type: 'text', index: 1, text: '1}' }),
      write({ type: 'ping' }),
      write({
        type: 'finish',
        ending: { reason: 'tool-calls' },
        usage: { inputTokens: 9, outputTokens: 2, cachedTokens: 4 },
      }),
      write({ type: 'ping' }),
    ].join('')
    const events = eventsIn(text)
    expect(events.map(({ type, index }) => `${type} ${index ?? ''}`.trim())).toEqual([
      'message_start',
      'content_block_start 0',
      'content_block_delta 0',
      'ping',
      'content_block_stop 0',
      'content_block_start 1',
      'content_block_delta 1',
      'content_block_delta 1',
      'content_block_stop 1',
      'message_delta',
      'message_stop',
    ])
    expect(events.at(-2)?.usage).toMatchObject({ input_tokens: 5, cache_read_input_tokens: 4, output_tokens: 2 })
  })
})
