import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConversationEvent } from '../../../src/dialects/conversation/conversation-answer.ts'
import type { OutputPart, ToolCallPart } from '../../../src/dialects/conversation/conversation-parts.ts'
import type { JsonObject } from '../../../src/dialects/dialect.ts'
import { responsesTranslation } from '../../../src/dialects/responses/responses-translation.ts'
import { ProviderFailure } from '../../../src/providers/provider-error.ts'
import { piecesOf, readChunks, readStream } from '../split-events.ts'
import { answer, stepsOf } from './answer-arbitraries.ts'
import { responseContext } from './response-context.ts'

const write = (steps: readonly ConversationEvent[], requested: JsonObject = {}) => {
  const writer = responsesTranslation.writeEvents(responseContext(requested))
  return steps.map((step) => writer.write(step)).join('')
}
const eventsOf = (text: string): readonly JsonObject[] =>
  text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => JSON.parse(block.slice(block.indexOf('\ndata: ') + 7)))
const reader = (more = {}) => responsesTranslation.readEvents(responseContext({}, more))
const typesOf = (events: readonly JsonObject[]) => events.map(({ type }) => type)

/** Only a request restores what another dialect verifies, so an answer is read without it. */
const withoutSeals = (events: readonly ConversationEvent[]): unknown =>
  events.map((event) =>
    event.type === 'part-end' && event.part.type === 'reasoning'
      ? { ...event, part: { ...event.part, signature: 0, redacted: 0, encrypted: 0 } }
      : event,
  )

const start: ConversationEvent = { type: 'start', id: 'x', model: 'm', created: 1 }
const finish: ConversationEvent = { type: 'finish', ending: { reason: 'stop' } }
const call = (callId: string): ToolCallPart => ({ type: 'tool-call', callId, kind: 'function', name: 'f', input: '' })

describe('events of responses', () => {
  it('keep all that responses carry, written and read again', () => {
    fc.assert(
      fc.property(answer, (original) => {
        const steps = stepsOf(original)
        expect(withoutSeals(readStream(reader(), write(steps)))).toEqual(withoutSeals(steps))
      }),
    )
  })

  it('read the same for each size of the pieces in which they arrive', () => {
    fc.assert(
      fc.property(answer, fc.integer({ min: 1, max: 40 }), (original, size) => {
        const text = write(stepsOf(original))
        const pieces = piecesOf(new TextEncoder().encode(text), size)
        expect(readChunks(reader(), pieces)).toEqual(readStream(reader(), text))
      }),
    )
  })

  it('end with the same items as the whole answer', () => {
    fc.assert(
      fc.property(answer, (original) => {
        const last = eventsOf(write(stepsOf(original))).at(-1)
        const whole = responsesTranslation.writeAnswer(original, responseContext())
        const withoutIds = (value: unknown) => JSON.parse(JSON.stringify(value, (key, one) => (key === 'id' ? 0 : one)))
        expect(withoutIds(last?.response)).toEqual(withoutIds(whole))
      }),
    )
  })

  it('count from 0 without gaps, and name their type twice', () => {
    const text = write([start, { type: 'part', index: 0, part: { type: 'text', text: '' } }, { type: 'ping' }, finish])
    const events = eventsOf(text)
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
    expect([...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual(typesOf(events))
  })

  it('surround a text by its part, its message and its response', () => {
    const part: OutputPart = {
      type: 'text',
      text: 'Hi',
      annotations: [{ url: 'https://example.com/', start: 0, end: 2 }],
    }
    const steps: readonly ConversationEvent[] = [
      start,
      { type: 'part', index: 0, part: { type: 'text', text: '' } },
      { type: 'text', index: 0, text: 'H' },
      { type: 'part-end', index: 0, part },
      finish,
    ]
    expect(typesOf(eventsOf(write(steps)))).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.annotation.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
  })

  it('write calls that overlap as items of their own', () => {
    const events = eventsOf(
      write([
        start,
        { type: 'part', index: 0, part: call('a') },
        { type: 'part', index: 1, part: call('b') },
        { type: 'text', index: 1, text: '{}' },
        { type: 'text', index: 0, text: '{"x":1}' },
        { type: 'part-end', index: 0, part: { ...call('a'), input: '{"x":1}' } },
        { type: 'part-end', index: 1, part: { ...call('b'), input: '{}' } },
        finish,
      ]),
    )
    expect(events.filter(({ type }) => type === 'response.function_call_arguments.delta')).toMatchObject([
      { output_index: 1, delta: '{}' },
      { output_index: 0, delta: '{"x":1}' },
    ])
    expect(events.at(-1)).toMatchObject({
      response: {
        output: [
          { call_id: 'a', arguments: '{"x":1}' },
          { call_id: 'b', arguments: '{}' },
        ],
      },
    })
    const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    const parts = readStream(reader(), text).flatMap((step) => ('index' in step ? [step.index] : []))
    expect(parts).toEqual([...parts].sort())
  })

  it('begin as queued for a response in the background', () => {
    const events = eventsOf(write([start, finish], { background: true }))
    expect(typesOf(events).slice(0, 3)).toEqual(['response.created', 'response.queued', 'response.in_progress'])
    expect(events[1]).toMatchObject({ response: { status: 'queued' } })
  })

  it('end with an error and a failed response, or with the error where none has begun', () => {
    const error = {
      type: 'refused',
      status: 429,
      message: 'Slow down.',
      retryable: true,
      beforeFirstByte: false,
    } as const
    expect(eventsOf(write([start, { type: 'error', error }, finish])).slice(-2)).toMatchObject([
      { type: 'error', message: 'Slow down.' },
      {
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Slow down.' } },
      },
    ])
    expect(eventsOf(write([{ type: 'error', error }]))).toMatchObject([
      { type: 'error', message: 'Slow down.', sequence_number: 0 },
    ])
  })

  it('complete parts that a stream leaves open', () => {
    const events = eventsOf(
      write([
        start,
        { type: 'part', index: 0, part: { type: 'text', text: '' } },
        { type: 'text', index: 0, text: 'Cut' },
        { type: 'part', index: 1, part: call('a') },
        { type: 'text', index: 1, text: '{"x' },
        finish,
      ]),
    )
    expect(events.at(-1)).toMatchObject({
      response: { output: [{ content: [{ text: 'Cut' }] }, { arguments: '{"x', status: 'incomplete' }] },
    })
  })

  it('fail only as failures of the upstream, for any value', () => {
    const types = [
      ...['response.created', 'response.output_item.added', 'response.output_item.done', 'response.completed'],
      ...['response.output_text.delta', 'response.content_part.done', 'response.reasoning_summary_text.delta'],
      ...['response.function_call_arguments.done', 'response.output_text.annotation.added', 'error', 'unknown'],
    ]
    const item = fc.record({
      type: fc.constantFrom('message', 'reasoning', 'function_call', 'web_search_call', 'x'),
      content: fc.jsonValue(),
      name: fc.jsonValue(),
    })
    const value = fc.oneof(fc.jsonValue(), item, fc.constantFrom(0, 1, 1e300))
    const event = fc
      .tuple(
        fc.constantFrom(...types),
        fc.dictionary(
          fc.constantFrom('output_index', 'content_index', 'summary_index', 'delta', 'item', 'part'),
          value,
        ),
      )
      .map(([type, fields]) => ({ ...fields, type }))
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), (events) => {
        const upstream = reader()
        const client = responsesTranslation.writeEvents(responseContext())
        try {
          for (const one of events) for (const step of upstream.read(undefined, one)) client.write(step)
        } catch (error) {
          expect(ProviderFailure.is(error)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })
})
