import { describe, expect, it } from 'vitest'
import { everyEvent } from '../../../tests/messages/every-event.ts'
import { answerContext, conversation, joined, readAll } from '../../../tests/messages/message-context.ts'
import { isObject } from '../../chat/is-object.ts'
import { parseJson } from '../../chat/parse-json.ts'
import { EventFramer } from '../../chat/streams/event-framer.ts'
import type { ConversationEvent } from '../conversation/conversation-answer.ts'
import type { JsonObject } from '../dialect.ts'
import { messagesTranslation } from './messages-translation.ts'

const whole = {
  id: 'msg_9',
  model: 'claude-example',
  content: [
    { type: 'reasoning', text: 'Gründe', summary: [], signature: 'sig' },
    { type: 'reasoning', text: '', summary: [], redacted: 'opaque' },
    {
      type: 'search-call',
      id: 'srvtoolu_1',
      query: 'who won',
      results: [{ url: 'https://example.com', title: 'T', encryptedContent: 'e' }],
    },
    {
      type: 'text',
      text: '🌍 won',
      annotations: [{ url: 'https://example.com', start: 0, end: 6, quote: 'won', encryptedIndex: 'i' }],
    },
    {
      type: 'foreign',
      dialect: 'messages',
      name: 'server_tool_use',
      value: { type: 'server_tool_use', id: 'srvtoolu_2', name: 'code_execution', input: { code: '1' } },
    },
    { type: 'tool-call', callId: 'toolu_1', kind: 'function', name: 'f', input: '{"a":"é"}' },
  ],
  ending: { reason: 'tool-calls' },
  usage: {
    inputTokens: 15,
    outputTokens: 20,
    cachedTokens: 3,
    cacheWriteTokens: 2,
    reasoningTokens: 8,
    searches: 1,
  },
}

/** Reads the bytes of a stream in these chunks. */
function fromBytes(chunks: readonly Uint8Array[]): readonly ConversationEvent[] {
  const framer = new EventFramer()
  const events: JsonObject[] = []
  for (const chunk of chunks) {
    const block = framer.push(chunk)
    let from = 0
    for (const end of block?.ends ?? []) {
      const text = new TextDecoder().decode(block?.bytes.subarray(from, end))
      from = end
      const value = parseJson(/^data: (.*)$/m.exec(text)?.[1] ?? '')
      if (isObject(value)) events.push(value)
    }
  }
  return readAll(events)
}

const ends = (events: readonly ConversationEvent[]) => events.filter(({ type }) => type === 'finish')

describe('a stream of messages that is read', () => {
  it('has every kind of event and block', () => {
    const events = readAll(everyEvent)
    expect(joined(events)).toEqual(whole)
    expect(events[0]).toMatchObject({ type: 'start', usage: { inputTokens: 15 } })
    expect(events[1]).toEqual({ type: 'ping' })
  })

  it('has the same steps when it is split at any byte', () => {
    const text = everyEvent.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    const bytes = new TextEncoder().encode(text)
    const expected = readAll(everyEvent)
    for (let place = 0; place <= bytes.length; place += 1) {
      expect(fromBytes([bytes.slice(0, place), bytes.slice(place)])).toEqual(expected)
    }
    expect(fromBytes(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected)
  })

  it('has no end when it is cut', () => {
    for (let count = 0; count < everyEvent.length; count += 1) {
      expect(ends(readAll(everyEvent.slice(0, count)))).toEqual([])
    }
  })

  it('ignores unknown events and blocks, deltas without a block, and all after its end', () => {
    const noise: readonly JsonObject[] = [
      { type: 'new_event' },
      { type: 'content_block_delta', index: 99, delta: { type: 'text_delta', text: 'x' } },
      { type: 'content_block_stop', index: 99 },
      { type: 'content_block_delta', index: 0, delta: 'x' },
      {},
    ]
    const noisy = everyEvent.flatMap((event) => [...noise, event])
    expect(joined(readAll([...noisy, ...everyEvent]))).toEqual(whole)
    expect(ends(readAll([...everyEvent, ...everyEvent]))).toHaveLength(1)
  })

  it('never overlaps parts, in any order of events', () => {
    for (const events of [[...everyEvent].reverse(), everyEvent.flatMap((event) => [event, event])]) {
      let open: number | undefined
      for (const event of readAll(events)) {
        if (event.type === 'part') {
          expect(open).toBeUndefined()
          open = event.index
        } else if ('index' in event) expect(event.index).toBe(open)
        if (event.type === 'part-end') open = undefined
      }
    }
  })

  it('ends with the error of the upstream', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Busy' } }
    expect(readAll([error, ...everyEvent])).toEqual([
      {
        type: 'error',
        error: {
          type: 'refused',
          status: 529,
          upstreamType: 'overloaded_error',
          message: 'Busy',
          retryable: true,
          beforeFirstByte: true,
        },
      },
    ])
    expect(readAll([...everyEvent.slice(0, 4), error]).at(-1)).toMatchObject({ error: { beforeFirstByte: false } })
  })

  it('has the code of a full context', () => {
    const error = { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' }
    expect(readAll([{ type: 'error', error }])).toMatchObject([
      { error: { status: 400, code: 'context_length_exceeded' } },
    ])
  })

  it('has the input of a custom tool as text, and an answer in JSON as text', () => {
    const request = conversation({ tools: [{ type: 'custom', name: 'f', at: '' }], format: { type: 'json' } })
    const context = answerContext({ request, customAsFunctions: new Set(['f']) })
    const use = (index: number, name: string, json: string): readonly JsonObject[] => [
      { type: 'content_block_start', index, content_block: { type: 'tool_use', id: `t${index}`, name, input: {} } },
      ...[...json].map((partial_json) => ({
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json },
      })),
      { type: 'content_block_stop', index },
    ]
    const events = [
      { type: 'message_start', message: {} },
      ...use(0, 'f', '{"input":"a\\nb"}'),
      ...use(1, 'trivium_answer', '{"ok":1}'),
      { type: 'message_stop' },
    ]
    expect(joined(readAll(events, context)).content).toEqual([
      { type: 'tool-call', callId: 't0', kind: 'custom', name: 'f', input: 'a\nb' },
      { type: 'text', text: '{"ok":1}' },
    ])
  })

  it('fails as malformed for a block that is nested too deeply', () => {
    let input: unknown = 1
    for (let level = 0; level < 300; level += 1) input = [input]
    const reader = messagesTranslation.readEvents(answerContext())
    const event = { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', input: { input } } }
    expect(() => reader.read(undefined, event)).toThrow('nested too deeply')
  })
})
