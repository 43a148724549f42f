import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryAnswer, arbitraryRequest } from '../../../tests/messages/conversation-arbitraries.ts'
import { arbitraryMessage, eventsOf } from '../../../tests/messages/message-arbitraries.ts'
import {
  answerContext,
  conversation,
  eventsIn,
  fixture,
  fixtureNames,
  joined,
  readAll,
  writeOptions,
} from '../../../tests/messages/message-context.ts'
import { isObject } from '../../chat/is-object.ts'
import { ProviderFailure } from '../../providers/provider-error.ts'
import type { ConversationAnswer, ConversationEvent } from '../conversation/conversation-answer.ts'
import { messagesTranslation } from './messages-translation.ts'

const { readRequest, writeRequest, readAnswer, writeAnswer, readEvents, writeEvents } = messagesTranslation

/** Removes the places in the request of a client. */
const withoutPlaces = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, member) => (name === 'at' ? undefined : member)))

/** Returns the events of an answer, in pieces of one character. */
function stepsOf({ id, model, created, content, ...end }: ConversationAnswer): readonly ConversationEvent[] {
  return [
    { type: 'start', id, model, created },
    ...content.flatMap((part, index): readonly ConversationEvent[] => {
      if (part.type === 'search-call') {
        return [
          { type: 'part', index, part: { type: 'search-call', id: part.id, query: '' } },
          { type: 'part-end', index, part },
        ]
      }
      if (part.type === 'tool-call') {
        return [
          { type: 'part', index, part: { ...part, input: '' } },
          ...[...part.input].map((text) => ({ type: 'text' as const, index, text })),
          { type: 'part-end', index, part },
        ]
      }
      if (part.type !== 'text' && part.type !== 'reasoning') return []
      const { text } = part
      const empty = part.type === 'text' ? { type: part.type, text: '' } : { type: part.type, text: '', summary: [] }
      return [
        { type: 'part', index, part: empty },
        ...[...text].map((piece) => ({ type: 'text' as const, index, text: piece })),
        ...(part.type === 'text'
          ? (part.annotations ?? []).map((annotation) => ({ type: 'annotation' as const, index, annotation }))
          : []),
        { type: 'part-end', index, part },
      ]
    }),
    { type: 'finish', ...end },
  ]
}

describe('messagesTranslation', () => {
  it('reads the request that it wrote', () => {
    fc.assert(
      fc.property(arbitraryRequest, (fields) => {
        const request = conversation(fields)
        const { body, omitted } = writeRequest(request, writeOptions())
        const { dialect: _, stream, turns, tools, settings, extra } = readRequest(body)
        expect(withoutPlaces({ stream, turns, tools, settings, extra })).toEqual(
          withoutPlaces({ ...fields, extra: {} }),
        )
        expect(omitted).toEqual([])
      }),
    )
  })

  it('reads the answer that it wrote', () => {
    fc.assert(
      fc.property(arbitraryAnswer, (answer) => {
        expect(readAnswer(writeAnswer(answer, answerContext()), answerContext())).toEqual(answer)
      }),
    )
  })

  it('reads the stream that it wrote', () => {
    fc.assert(
      fc.property(arbitraryAnswer, (answer) => {
        const writer = writeEvents(answerContext())
        const text = stepsOf(answer)
          .map((step) => writer.write(step))
          .join('')
        const { created: _, ...whole } = answer
        expect(joined(readAll(eventsIn(text)))).toEqual(whole)
      }),
    )
  })

  it.each(fixtureNames)('reads the recorded stream %s as the recorded message', (name) => {
    const { message, events } = fixture(name)
    const { created: _, ...whole } = readAnswer(message, answerContext())
    expect(joined(readAll(events))).toEqual(whole)
  })

  it('reads a stream as the whole message, in pieces of any size', () => {
    fc.assert(
      fc.property(arbitraryMessage, fc.integer({ min: 1, max: 9 }), (message, size) => {
        const { created: _, ...whole } = readAnswer(message, answerContext())
        expect(joined(readAll(eventsOf(message, size)))).toEqual(whole)
      }),
    )
  })

  it('throws only failures of a provider for any JSON', () => {
    const blocks = fc.record(
      {
        type: fc.constantFrom(
          'text',
          'image',
          'document',
          'tool_use',
          'tool_result',
          'thinking',
          'server_tool_use',
          'web_search_tool_result',
          'message_start',
          'content_block_start',
          'content_block_delta',
          'content_block_stop',
          'message_delta',
          'message_stop',
          'error',
        ),
        content: fc.jsonValue(),
        source: fc.jsonValue(),
        index: fc.nat({ max: 2 }),
        delta: fc.jsonValue(),
        content_block: fc.jsonValue(),
        citations: fc.jsonValue(),
        name: fc.constantFrom('web_search', 'x', 7),
        input: fc.jsonValue(),
        role: fc.constantFrom('user', 'assistant', 'system', 3),
      },
      { requiredKeys: ['type'] },
    )
    const hostile = fc.oneof(blocks, fc.jsonValue())
    const attempt = (act: () => unknown): void => {
      try {
        act()
      } catch (thrown) {
        if (!ProviderFailure.is(thrown)) throw thrown
      }
    }
    const names = fc.constantFrom('messages', 'content', 'tools', 'system', 'tool_choice', 'thinking', 'usage', 'extra')
    fc.assert(
      fc.property(fc.dictionary(names, fc.array(hostile)), fc.array(blocks), (body, events) => {
        const context = answerContext()
        const messages = [
          { role: 'user', content: events },
          { role: 'assistant', content: events },
        ]
        attempt(() => writeRequest(readRequest(body), writeOptions({ cacheBreakpoints: true })))
        attempt(() => writeRequest(readRequest({ ...body, messages }), writeOptions({ cacheBreakpoints: true })))
        attempt(() => writeAnswer(readAnswer(body, context), context))
        attempt(() => writeAnswer(readAnswer({ content: events }, context), context))
        const reader = readEvents(context)
        const writer = writeEvents(context)
        attempt(() => {
          for (const event of events) {
            const value: unknown = event
            if (isObject(value)) for (const step of reader.read(undefined, value)) writer.write(step)
          }
        })
      }),
    )
  })
})
