import { describe, expect, it } from 'vitest'
import { chatTranslation } from '../../../src/dialects/chat/chat-translation.ts'
import { answerEvents } from '../../../src/dialects/conversation/answer-events.ts'
import type { ConversationAnswer } from '../../../src/dialects/conversation/conversation-answer.ts'
import type { JsonObject } from '../../../src/dialects/dialect.ts'
import { messagesTranslation } from '../../../src/dialects/messages/messages-translation.ts'
import { ProviderFailure } from '../../../src/providers/provider-error.ts'
import { writeOptions } from '../../messages/message-context.ts'
import { openGateway } from '../../open-gateway.ts'
import { answerContext } from '../answer-context.ts'
import { dialectUpstream } from '../dialect-upstream.ts'

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const functions = [{ name: 'weather', description: 'D', parameters }]
const hi = { role: 'user', content: 'Hi' }
const call = (city: string) => ({
  role: 'assistant',
  content: null,
  function_call: { name: 'weather', arguments: `{"city":"${city}"}` },
})

const overMessages = (body: JsonObject) =>
  messagesTranslation.writeRequest(chatTranslation.readRequest({ messages: [hi], functions, ...body }), writeOptions())

const part = (callId: string) => ({
  type: 'tool-call' as const,
  callId,
  kind: 'function' as const,
  name: 'weather',
  input: '{"city":"Paris"}',
})
const answer: ConversationAnswer = {
  id: 'a',
  model: 'm',
  created: 1,
  content: [part('c1'), part('c2')],
  ending: { reason: 'tool-calls' },
}

describe('functions of older clients', () => {
  it('become tools, of which one is called at a time', () => {
    expect(overMessages({}).body).toMatchObject({
      tools: [{ name: 'weather', description: 'D', input_schema: parameters }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    })
    expect(overMessages({ function_call: { name: 'weather' } }).body.tool_choice).toMatchObject({
      type: 'tool',
      name: 'weather',
    })
    expect(overMessages({ function_call: 'none' }).body.tool_choice).toEqual({ type: 'none' })
  })

  it('keep their calls and results of earlier turns', () => {
    const messages = [
      hi,
      call('Paris'),
      { role: 'function', name: 'weather', content: 'Rain' },
      call('Rome'),
      { role: 'function', name: 'weather', content: 'Sun' },
    ]
    expect(overMessages({ messages }).body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Paris' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Rain' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_3', input: { city: 'Rome' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_3', content: 'Sun' }] },
    ])
  })

  it('refuse a result without a call', () => {
    const messages = [hi, { role: 'function', name: 'weather', content: 'Rain' }]
    const refusal = expect.objectContaining({ error: expect.objectContaining({ param: 'messages[1].role' }) })
    expect(() => overMessages({ messages })).toThrow(ProviderFailure)
    expect(() => overMessages({ messages })).toThrow(refusal)
  })

  it('get the call in the form of their request, whole and streamed', () => {
    const context = answerContext({}, { functions })
    const functionCall = { name: 'weather', arguments: '{"city":"Paris"}' }
    const { choices } = chatTranslation.writeAnswer(answer, context)
    expect(choices).toMatchObject([
      { message: { content: null, function_call: functionCall }, finish_reason: 'function_call' },
    ])
    expect(JSON.stringify(choices)).not.toContain('tool_calls')
    const writer = chatTranslation.writeEvents(context)
    const text = answerEvents(answer)
      .map((event) => writer.write(event))
      .join('')
    expect(text).not.toContain('tool_calls')
    const deltas = [...text.matchAll(/"function_call":(\{.*?\})[,}]/g)].map(([, json = '']) => JSON.parse(json))
    expect(deltas).toEqual([{ name: 'weather', arguments: '' }, { arguments: '{"city":"Paris"}' }])
    expect(text).toContain('"finish_reason":"function_call"')
  })

  it.each(['responses', 'messages'] as const)('work over an upstream of %s', async (dialect) => {
    const { provider, seen } = await dialectUpstream(dialect)
    const open = openGateway({ providers: [provider], retries: { retries: 0 } })
    const { secret } = await open.key()
    const messages = [hi, call('Paris'), { role: 'function', name: 'weather', content: 'Rain' }]
    const ask = (more: JsonObject = {}) =>
      open.send('/v1/chat/completions', { as: secret, body: { model: 'up/big', messages, functions, ...more } })
    expect(await (await ask()).json()).toMatchObject({
      choices: [{ message: { function_call: { name: 'weather' } }, finish_reason: 'function_call' }],
    })
    const text = await (await ask({ stream: true })).text()
    expect(text).toContain('"function_call":{"name":"weather","arguments":""}')
    expect(text).toContain('"finish_reason":"function_call"')
    expect(seen[0]?.body).toContain('Rain')
  })
})
