import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryMessage, eventsOf } from '../../../tests/messages/message-arbitraries.ts'
import { fixture, fixtureNames } from '../../../tests/messages/message-context.ts'
import type { JsonObject } from '../dialect.ts'
import { MessageBlocks } from './message-blocks.ts'
import { messageEvents } from './message-events.ts'

function assembled(events: readonly JsonObject[]) {
  const blocks = new MessageBlocks()
  for (const event of events) blocks.read(event, 0)
  return blocks.end()
}

describe('the blocks of a message', () => {
  it.each(fixtureNames)('equal the recorded message %s where they are streamed', (name) => {
    const { message, events } = fixture(name)
    expect(assembled(events)).toEqual(message.content)
  })

  it('equal the whole message in pieces of any size', () => {
    fc.assert(
      fc.property(arbitraryMessage, fc.integer({ min: 1, max: 9 }), (message, size) => {
        expect(assembled(eventsOf(message, size))).toEqual(message.content)
      }),
    )
  })

  it('equal a whole message that is written as events', () => {
    fc.assert(
      fc.property(arbitraryMessage, (message) => {
        const events = messageEvents(message).split('\n\n').slice(0, -1)
        const values: readonly JsonObject[] = events.map((text) => JSON.parse(text.split('\ndata: ')[1] ?? ''))
        expect(assembled(values)).toEqual(message.content)
      }),
    )
  })
})
