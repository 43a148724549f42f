import { describe, expect, it } from 'vitest'
import { chatTranslation } from '../../src/dialects/chat/chat-translation.ts'
import type { JsonObject } from '../../src/dialects/dialect.ts'
import { messagesTranslation } from '../../src/dialects/messages/messages-translation.ts'
import { responsesTranslation } from '../../src/dialects/responses/responses-translation.ts'
import type { DialectTranslation } from '../../src/dialects/translation.ts'
import { ProviderFailure } from '../../src/providers/provider-error.ts'
import { writeOptions } from '../messages/message-context.ts'

const [chat, responses, messages] = [chatTranslation, responsesTranslation, messagesTranslation]

const asked: Readonly<Record<DialectTranslation['dialect'], JsonObject>> = {
  chat: { messages: [{ role: 'user', content: 'Hi' }] },
  responses: { input: 'Hi' },
  messages: { max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
}

const translate = (from: DialectTranslation, to: DialectTranslation, fields: JsonObject) =>
  to.writeRequest(from.readRequest({ model: 'm', ...asked[from.dialect], ...fields }), writeOptions())

function refusalOf(run: () => unknown) {
  try {
    run()
  } catch (thrown) {
    if (ProviderFailure.is(thrown)) return thrown.error
    throw thrown
  }
  throw new Error('It was translated')
}

const assistant = (content: JsonObject, more: JsonObject = {}) => ({
  input: [
    { role: 'user', content: 'Hi' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes', ...content }], ...more },
    { role: 'user', content: 'Why?' },
  ],
})

const fileCitation = { type: 'file_citation', file_id: 'file_1', filename: 'a.pdf', index: 1 }

describe('hints that another dialect lacks', () => {
  it.each<[string, DialectTranslation, DialectTranslation, JsonObject]>([
    ['output_config.task_budget', messages, chat, { output_config: { task_budget: { type: 'tokens', total: 9000 } } }],
    [
      'output_config.task_budget',
      messages,
      responses,
      { output_config: { task_budget: { type: 'tokens', total: 1 } } },
    ],
    ['input.phase', responses, chat, assistant({}, { phase: 'commentary' })],
    ['input.phase', responses, messages, assistant({}, { phase: 'final_answer' })],
    ['input.content.annotations', responses, chat, assistant({ annotations: [fileCitation] })],
    ['input.content.annotations', responses, messages, assistant({ annotations: [fileCitation] })],
    ['truncation', responses, chat, { truncation: 'auto' }],
    ['truncation', responses, messages, { truncation: 'auto' }],
    ['top_k', messages, chat, { top_k: 5 }],
    ['top_k', messages, responses, { top_k: 5 }],
    ['top_k', chat, responses, { top_k: 5 }],
    ['seed', chat, messages, { seed: 5 }],
    ['seed', chat, responses, { seed: 5 }],
    ['random_seed', chat, messages, { random_seed: 5 }],
    ['random_seed', chat, responses, { random_seed: 5 }],
  ])('has %s left out and named', (name, from, to, fields) => {
    const { body, omitted } = translate(from, to, fields)
    expect(omitted).toEqual([name])
    const { body: plain } = translate(from, to, 'input' in fields ? assistant({}) : {})
    expect(body).toEqual(plain)
  })

  it('has nothing named where a field asks for nothing', () => {
    expect(translate(responses, messages, { top_logprobs: 0 }).omitted).toEqual([])
    expect(translate(responses, chat, { top_logprobs: 0 }).body).not.toHaveProperty('logprobs')
    expect(translate(chat, messages, { logprobs: false, top_logprobs: 0 }).omitted).toEqual([])
    expect(translate(responses, messages, { truncation: 'disabled' }).omitted).toEqual([])
    expect(translate(messages, chat, { output_config: { effort: 'low', task_budget: null } }).omitted).toEqual([])
  })
})

describe('what changes the substance of an answer', () => {
  const result = (citations: unknown) => ({
    messages: [
      {
        role: 'user',
        content: [
          {
            type: 'search_result',
            source: 'https://example.com',
            title: 'T',
            content: [{ type: 'text', text: 'A' }],
            citations,
          },
        ],
      },
    ],
  })

  it.each<[string, DialectTranslation, DialectTranslation, JsonObject]>([
    ['output_config.other', messages, chat, { output_config: { other: 1 } }],
    ['messages[0].content[0].citations', messages, chat, result({ enabled: true })],
    ['messages[0].content[0].citations', messages, responses, result({ enabled: true })],
    ['top_logprobs', responses, messages, { top_logprobs: 2 }],
    ['include', responses, messages, { include: ['message.output_text.logprobs'] }],
  ])('causes a refusal by the name %s', (param, from, to, fields) => {
    expect(refusalOf(() => translate(from, to, fields))).toMatchObject({ type: 'unsupported', param })
  })

  it('excludes citations that are switched off', () => {
    expect(translate(messages, chat, result({ enabled: false })).omitted).toEqual([])
  })
})
