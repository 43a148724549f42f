import type { JsonObject } from '@trivium/provider-kit/answers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assembled, fixture, fixtureNames, wholeChunks } from '../../tests/fixtures.ts'
import { arbitraryMessage, eventsOf } from '../../tests/message-arbitraries.ts'
import { chatCompletion } from './chat-completion.ts'
import { chunkTranslation } from './chunk-translation.ts'

const CREATED = 1_700_000_000

function translated(events: readonly JsonObject[], includeUsage = false) {
  const translation = chunkTranslation({ created: CREATED, includeUsage })
  return { chunks: events.flatMap((event) => translation.translate(event)), complete: translation.complete }
}

describe('chatCompletion', () => {
  it.each(fixtureNames)('converts the recorded message %s', (name) => {
    const { message, completion } = fixture(name)
    expect(chatCompletion(message, CREATED)).toEqual(completion)
  })

  it('sets no content for a message of calls', () => {
    const content = [{ type: 'tool_use', id: 't', name: 'f', input: {} }]
    expect(chatCompletion({ content }, CREATED).choices[0]?.message.content).toBeNull()
    expect(chatCompletion({ content: [] }, CREATED).choices[0]?.message.content).toBe('')
  })

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_calls'],
    ['refusal', 'content_filter'],
    ['something_new', 'stop'],
  ])('converts the stop reason %s to %s', (stop_reason, finish_reason) => {
    expect(chatCompletion({ content: [], stop_reason }, CREATED).choices[0]).toMatchObject({ finish_reason })
  })

  it('accepts a message with invalid fields', () => {
    expect(
      chatCompletion({ content: [null, 1, { type: 'text' }, { type: 'tool_use', input: 3 }] }, CREATED),
    ).toMatchObject({
      id: '',
      choices: [{ message: { content: '', tool_calls: [{ id: '', function: { name: '', arguments: '{}' } }] } }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    })
  })
})

describe('chunkTranslation', () => {
  it.each(fixtureNames)('converts the recorded events %s to chunks', (name) => {
    const recorded = fixture(name)
    const { chunks, complete } = translated(recorded.events)
    expect(chunks).toEqual(wholeChunks(recorded))
    expect(complete).toBe(true)
  })

  it.each(fixtureNames)('creates chunks with the content of the whole answer (%s)', (name) => {
    const { events, completion } = fixture(name)
    const [choice] = completion.choices
    expect(assembled(translated(events).chunks)).toEqual({
      message: choice?.message,
      finish_reason: choice?.finish_reason,
      usage: completion.usage,
    })
  })

  it('creates chunks with the content of any answer, in pieces of any size', () => {
    fc.assert(
      fc.property(arbitraryMessage, fc.integer({ min: 1, max: 9 }), (message, size) => {
        const { choices, usage } = chatCompletion(message, CREATED)
        const { message: whole, finish_reason } = choices[0] ?? {}
        const content = whole?.content ?? ''
        expect(assembled(translated(eventsOf(message, size)).chunks)).toEqual({
          message: { ...whole, content },
          finish_reason,
          usage,
        })
      }),
    )
  })

  it('adds a usage to every chunk for clients that request it', () => {
    const { chunks } = translated(fixture('text').events, true)
    expect(chunks.map(({ usage }) => usage === null)).toEqual([true, true, true, true, false])
  })

  it('keeps the input of a call that is in its first event', () => {
    const { chunks } = translated([
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
      },
      { type: 'content_block_stop', index: 0 },
    ])
    expect(assembled(chunks)).toMatchObject({ message: { tool_calls: [{ function: { arguments: '{"a":1}' } }] } })
  })

  it('completes only with the last event', () => {
    const { events } = fixture('text')
    expect(translated(events.slice(0, -1)).complete).toBe(false)
    expect(translated([...events, ...events.slice(-1)]).chunks).toEqual(translated(events).chunks)
  })

  it('ignores invalid events', () => {
    const nonsense = [
      {},
      { type: 'ping' },
      { type: 'content_block_delta', index: 9, delta: { type: 'text_delta', text: 'x' } },
      { type: 'content_block_start', index: 0 },
      { type: 'content_block_delta', index: 0, delta: 'x' },
      { type: 'content_block_delta', index: 0, delta: { type: 'new_delta' } },
      { type: 'content_block_stop', index: 7 },
      { type: 'message_delta' },
    ]
    expect(translated(nonsense).chunks).toEqual([])
  })
})

describe('chunkTranslation of usage', () => {
  it('drops unknown counts in linear time', () => {
    const events = Array.from({ length: 100_000 }, (_, index) => ({
      type: 'message_delta',
      usage: { [`unknown_${index}`]: index, output_tokens: index },
    }))
    const { chunks } = translated([{ type: 'message_start' }, ...events, { type: 'message_stop' }])
    expect(chunks.at(-1)?.usage).toMatchObject({ completion_tokens: 99_999 })
  })
})
