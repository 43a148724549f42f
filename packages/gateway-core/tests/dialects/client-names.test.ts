import { describe, expect, it } from 'vitest'
import { chatTranslation as chat } from '../../src/dialects/chat/chat-translation.ts'
import type { JsonObject } from '../../src/dialects/dialect.ts'
import { messagesTranslation as messages } from '../../src/dialects/messages/messages-translation.ts'
import { responsesTranslation as responses } from '../../src/dialects/responses/responses-translation.ts'
import type { DialectTranslation } from '../../src/dialects/translation.ts'
import { ProviderFailure } from '../../src/providers/provider-error.ts'
import { writeOptions } from '../messages/message-context.ts'

const hi = { role: 'user', content: 'Hi' }

const base = { chat: { messages: [hi] }, responses: { input: 'Hi' }, messages: { max_tokens: 4000, messages: [hi] } }

const written = (from: DialectTranslation, to: DialectTranslation, fields: JsonObject) =>
  to.writeRequest(from.readRequest({ model: 'm', ...base[from.dialect], ...fields }), writeOptions())

function refusalOf(run: () => unknown) {
  try {
    run()
  } catch (thrown) {
    if (ProviderFailure.is(thrown)) return thrown.error
    throw thrown
  }
  throw new Error('It was translated')
}

const said = (members: JsonObject) => ({ messages: [hi, { role: 'assistant', content: 'A', ...members }, hi] })

const failed = [
  { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
  { type: 'function_call_output', call_id: 'c', output: 'No', status: 'incomplete' },
]

const marked = (mark: JsonObject) => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...mark }] }],
})

describe('what a translation leaves out', () => {
  it.each<[string, DialectTranslation, DialectTranslation, JsonObject]>([
    ['input.status', responses, chat, { input: failed }],
    [
      'prompt_cache_breakpoint',
      responses,
      chat,
      {
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'A', prompt_cache_breakpoint: { mode: 'explicit' } }] },
        ],
      },
    ],
    ['prompt_cache_breakpoint', chat, responses, marked({ prompt_cache_breakpoint: { mode: 'explicit' } })],
    ['cache_control', chat, responses, marked({ cache_control: { type: 'ephemeral' } })],
    ['reasoning_content', chat, messages, said({ reasoning_content: 'B' })],
    ['reasoning', chat, messages, said({ reasoning: 'B' })],
    ['reasoning_content', chat, responses, said({ reasoning_content: 'B' })],
    [
      'thinking_blocks',
      chat,
      responses,
      said({ thinking_blocks: [{ type: 'thinking', thinking: 'B', signature: 's' }] }),
    ],
    ['thinking', chat, responses, said({ content: [{ type: 'thinking', thinking: 'B' }] })],
    ['messages.name', chat, messages, { messages: [{ ...hi, name: 'ada' }] }],
    ['messages.name', chat, responses, { messages: [{ ...hi, name: 'ada' }] }],
    ['messages.name', chat, messages, said({ name: 'ada' })],
    ['messages.name', chat, responses, said({ name: 'ada' })],
    ['messages.name', chat, responses, { messages: [{ role: 'system', content: 'A', name: 'ada' }, hi] }],
    ['prediction', chat, messages, { prediction: { type: 'content', content: 'A' } }],
    ['prediction', chat, responses, { prediction: { type: 'content', content: 'A' } }],
    ['store', chat, responses, { store: true }],
    ['store', chat, messages, { store: true }],
    ['metadata', chat, messages, { metadata: { a: 'b' } }],
    ['metadata', responses, chat, { metadata: { a: 'b' } }],
    ['service_tier', chat, messages, { service_tier: 'flex' }],
    ['user', chat, messages, { safety_identifier: 'a', user: 'b' }],
    [
      'blocked_domains',
      responses,
      messages,
      { tools: [{ type: 'web_search', filters: { allowed_domains: ['a.com'], blocked_domains: ['b.com'] } }] },
    ],
    ['max_tokens', chat, responses, { max_tokens: 50, max_completion_tokens: 100 }],
    ['thinking.type', chat, responses, { thinking: { type: 'enabled' } }],
    ['reasoning.enabled', chat, responses, { reasoning: { enabled: true } }],
    ['thinking', messages, chat, { thinking: { type: 'adaptive' } }],
    ['thinking', messages, responses, { thinking: { type: 'adaptive' } }],
    ['thinking.display', messages, chat, { thinking: { type: 'enabled', budget_tokens: 2000, display: 'omitted' } }],
  ])('gets the name that its client knows: %s', (name, from, to, fields) => {
    expect(written(from, to, fields).omitted).toEqual([name])
  })

  it('excludes what the upstream gets', () => {
    const hidden = { thinking: { type: 'enabled', budget_tokens: 2000, display: 'omitted' } }
    expect(written(messages, responses, hidden)).toMatchObject({ body: { reasoning: { effort: 'low' } }, omitted: [] })
    expect(written(messages, responses, hidden).body).not.toHaveProperty('reasoning.summary')
    for (const fields of [{ thinking: { type: 'enabled' } }, { reasoning: { enabled: true } }]) {
      expect(written(chat, messages, fields)).toMatchObject({ body: { thinking: { type: 'adaptive' } }, omitted: [] })
    }
    const alone = {
      tools: [{ type: 'function', function: { name: 'f' } }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    }
    expect(written(chat, responses, alone)).toMatchObject({ body: { parallel_tool_calls: false }, omitted: [] })
  })
})

describe('what a translation refuses', () => {
  const prefix = { messages: [hi, { role: 'assistant', content: 'Once', prefix: true }] }

  it.each<[string, DialectTranslation, DialectTranslation, JsonObject]>([
    ['include', responses, messages, { include: ['message.output_text.logprobs'] }],
    ['top_logprobs', responses, messages, { include: ['message.output_text.logprobs'], top_logprobs: 2 }],
    ['tool_choice', responses, chat, { tool_choice: 'required' }],
    ['tool_choice', responses, messages, { tool_choice: 'required' }],
    ['tool_choice', responses, chat, { tool_choice: { type: 'function', name: 'f' } }],
    ['tool_choice', responses, messages, { tool_choice: { type: 'function', name: 'f' } }],
    ['tool_choice', chat, messages, { tool_choice: 'required' }],
    ['tool_choice', chat, responses, { tool_choice: 'required' }],
    ['tool_choice', messages, responses, { tool_choice: { type: 'any' } }],
    ['tool_choice', responses, messages, { tool_choice: 'required', tools: [{ type: 'file_search' }] }],
    ['inference_geo', messages, chat, { inference_geo: 'us' }],
    ['inference_geo', messages, responses, { inference_geo: 'us' }],
    ['moderation', chat, messages, { moderation: { model: 'm' } }],
    ['moderation', chat, responses, { moderation: { model: 'm' } }],
    ['moderation', responses, chat, { moderation: { model: 'm' } }],
    ['moderation', responses, messages, { moderation: { model: 'm' } }],
    ['include', chat, messages, { include: ['a'] }],
    ['include', chat, responses, { include: ['a'] }],
    ['reasoning.exclude', chat, responses, { reasoning: { effort: 'low', exclude: true } }],
    ['messages[1].prefix', chat, responses, prefix],
    ['text.format.type', responses, chat, { text: { format: { type: 'grammar' } } }],
    ['output_config.format.type', messages, chat, { output_config: { format: { type: 'grammar' } } }],
  ])('gets the name that its client knows: %s', (param, from, to, fields) => {
    expect(refusalOf(() => written(from, to, fields))).toMatchObject({ type: 'unsupported', param })
  })

  it('says that there are no tools where a choice requires one', () => {
    for (const to of [chat, messages]) {
      const { message } = refusalOf(() => written(responses, to, { tool_choice: 'required' }))
      expect(message).toBe("'tool_choice' requires a tool, but the request has no tools.")
    }
  })

  it('excludes the beginning of an answer over messages, which continue it', () => {
    const { body, omitted } = written(chat, messages, prefix)
    expect(body.messages).toEqual([hi, { role: 'assistant', content: 'Once' }])
    expect(omitted).toEqual([])
  })
})
