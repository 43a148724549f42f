import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../dialects/dialect.ts'
import { chatEvents } from '../replays/chat-events.ts'
import { messageReplay } from '../replays/message-replay.ts'
import { collectorOf } from './stream-collector.ts'

const encoder = new TextEncoder()

/** Passes a text to a collector in pieces of these lengths. */
function collect(dialect: 'chat' | 'messages', text: string, lengths: readonly number[] = [], most = 2 ** 20) {
  let collected: JsonObject | undefined
  const collector = collectorOf(dialect, most, (answer) => {
    collected = answer
  })
  const bytes = encoder.encode(text)
  let start = 0
  for (const length of [...lengths, bytes.length]) {
    collector.data(bytes.subarray(start, start + length))
    start += length
  }
  collector.complete()
  return collected
}

const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 20 })
const input = fc.dictionary(
  fc.string({ maxLength: 5 }).filter((name) => name !== '__proto__'),
  fc.oneof(text, fc.integer(), fc.boolean()),
)

const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'big', service_tier: 'default' }
const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 }

const choice = fc.record({
  content: fc.option(text),
  reasoning_content: text.filter((content) => content !== ''),
  calls: fc.array(text, { maxLength: 3 }),
})

const completion = fc.array(choice, { minLength: 1, maxLength: 3 }).map((choices) => ({
  ...head,
  object: 'chat.completion',
  choices: choices.map(({ calls, ...message }, index) => ({
    index,
    message: {
      role: 'assistant',
      refusal: null,
      ...message,
      ...(calls.length > 0 && {
        tool_calls: calls.map((written, call) => ({
          id: `call_${call}`,
          type: 'function',
          function: { name: 'f', arguments: written },
        })),
      }),
    },
    finish_reason: 'stop',
  })),
  usage,
}))

const block = fc.oneof(
  text.map((written) => ({ type: 'text', text: written })),
  text.map((written) => ({ type: 'text', text: written, citations: [{ type: 'char_location', cited_text: written }] })),
  fc.record({ type: fc.constant('thinking'), thinking: text, signature: text }),
  fc.record({ type: fc.constant('tool_use'), id: text, name: text, input }),
  fc.constant({ type: 'redacted_thinking', data: 'sealed' }),
)

const message = fc.array(block, { maxLength: 5 }).map((content) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'big',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 5 },
}))

describe('the collector of a stream', () => {
  it('assembles the completion that was written as chunks, in any pieces', () =>
    fc.assert(
      fc.asyncProperty(completion, lengths, async (answer, pieces) => {
        const written = await chatEvents(answer, { stream_options: { include_usage: true } })
        // What is sent as a part is added to an empty text.
        const choices = answer.choices.map((one) => ({
          ...one,
          message: { ...one.message, content: one.message.content ?? '' },
        }))
        expect(collect('chat', written, pieces)).toEqual({ ...answer, choices })
      }),
    ))

  it('assembles the message that was written as events, in any pieces', () =>
    fc.assert(
      fc.property(message, lengths, (answer, pieces) => {
        expect(collect('messages', messageReplay(answer), pieces)).toEqual(answer)
      }),
    ))

  it('gives up what is larger than its limit', async () => {
    const [answer] = fc.sample(message, 1)
    const large = { ...answer, content: [{ type: 'text', text: 'a'.repeat(101) }] }
    expect(collect('messages', messageReplay(large), [], 100)).toBeUndefined()
    const open = `data: {"choices":[{"delta":{"content":"${'a'.repeat(100_000)}`
    expect(collect('chat', open, [70_000, 30_000], 100)).toBeUndefined()
  })

  it.each([
    ['an event that is not JSON', 'data: {\n\n'],
    ['a delta of an unknown type', 'data: {"type":"content_block_delta","index":0,"delta":{"type":"later_delta"}}\n\n'],
    ['an event of an unknown type', 'data: {"type":"later"}\n\n'],
    ['an error', 'data: {"type":"error","error":{}}\n\n'],
  ])('gives up a message with %s', (_, event) => {
    const [answer] = fc.sample(message, 1)
    expect(collect('messages', event + messageReplay(answer ?? {}))).toBeUndefined()
  })

  it('gives up a message without its last event', () => {
    const [answer] = fc.sample(message, 1)
    const events = messageReplay(answer ?? {})
    expect(collect('messages', events.slice(0, events.indexOf('event: message_stop')))).toBeUndefined()
  })

  it('joins log probabilities, and ignores what pads chunks', () => {
    const chunk = (content: string, token: unknown) =>
      `data: ${JSON.stringify({
        ...head,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta: { content }, logprobs: { content: [token], refusal: null }, finish_reason: null }],
        obfuscation: 'xyz',
      })}\n\n`
    const end = `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`
    expect(collect('chat', `${chunk('a', 1)}: comment\n\n${chunk('b', 2)}${end}data: [DONE]\n\n`)).toEqual({
      ...head,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'ab', refusal: null },
          logprobs: { content: [1, 2], refusal: null },
          finish_reason: 'stop',
        },
      ],
    })
  })
})
