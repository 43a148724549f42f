import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chatTranslation } from '../../../src/dialects/chat/chat-translation.ts'
import type { JsonObject } from '../../../src/dialects/dialect.ts'
import { ProviderFailure } from '../../../src/providers/provider-error.ts'
import { answerContext } from '../answer-context.ts'
import { arbitraryAnswer, eventsOf } from '../arbitraries.ts'
import { piecesOf, readChunks, readStream } from '../split-events.ts'

const { readAnswer, writeAnswer, readEvents, writeEvents } = chatTranslation

const written = (events: ReturnType<typeof eventsOf>): string => {
  const writer = writeEvents(answerContext())
  return events.map((event) => writer.write(event)).join('')
}

describe('an answer of chat completions', () => {
  it('stays the same when it is written and read', () => {
    fc.assert(
      fc.property(arbitraryAnswer, (answer) => {
        expect(readAnswer(writeAnswer(answer, answerContext()), answerContext())).toEqual(answer)
      }),
    )
  })

  it('never fails with anything but a malformed answer when it has values of any type', () => {
    fc.assert(
      fc.property(arbitraryAnswer, fc.jsonValue(), fc.nat(), (answer, value, place) => {
        const hostile = withValueAt(writeAnswer(answer, answerContext()), value, place)
        expectMalformedOnly(() => readAnswer(hostile, answerContext()))
      }),
    )
  })
})

describe('a stream of chat completions', () => {
  it('has the same steps after it was written and read', () => {
    fc.assert(
      fc.property(arbitraryAnswer, fc.integer({ min: 1, max: 8 }), (answer, size) => {
        const events = eventsOf(answer, size)
        expect(readStream(readEvents(answerContext()), written(events))).toEqual(events)
      }),
    )
  })

  it('has the same steps in pieces of every size', () => {
    fc.assert(
      fc.property(arbitraryAnswer, fc.integer({ min: 1, max: 64 }), (answer, size) => {
        const events = eventsOf(answer, 3)
        const bytes = new TextEncoder().encode(written(events))
        expect(readChunks(readEvents(answerContext()), piecesOf(bytes, size))).toEqual(events)
      }),
      { numRuns: 50 },
    )
  })

  it('has the same steps when it is split in two at every byte', () => {
    const [answer] = fc.sample(arbitraryAnswer, { numRuns: 1, seed: 7 })
    if (!answer) throw new Error('It has no answer')
    const events = eventsOf(answer, 3)
    const bytes = new TextEncoder().encode(written(events))
    for (let place = 0; place <= bytes.length; place += 1) {
      const chunks = [bytes.subarray(0, place), bytes.subarray(place)]
      expect(readChunks(readEvents(answerContext()), chunks)).toEqual(events)
    }
  })

  it('never fails with anything but a malformed answer when a chunk has values of any type', () => {
    fc.assert(
      fc.property(arbitraryAnswer, fc.jsonValue(), fc.nat(), fc.nat(), (answer, value, which, place) => {
        const chunks = written(eventsOf(answer, 5))
          .split('\n\n')
          .filter((text) => text.startsWith('data: {'))
          .map((text): JsonObject => JSON.parse(text.slice(6)))
        const reader = readEvents(answerContext())
        expectMalformedOnly(() => {
          for (const [index, chunk] of chunks.entries()) {
            reader.read(undefined, index === which % chunks.length ? withValueAt(chunk, value, place) : chunk)
          }
          reader.end()
        })
      }),
    )
  })
})

/** Replaces one value inside a JSON value, selected by a number. */
function withValueAt(json: JsonObject, value: unknown, place: number): JsonObject {
  let count = 0
  JSON.stringify(json, (_, member: unknown) => {
    count += 1
    return member
  })
  let index = -1
  const replaced: unknown = JSON.parse(
    JSON.stringify(json, (_, member: unknown) => {
      index += 1
      return index > 0 && index === 1 + (place % (count - 1)) ? value : member
    }),
  )
  return typeof replaced === 'object' && replaced !== null ? { ...replaced } : {}
}

function expectMalformedOnly(run: () => unknown): void {
  try {
    run()
  } catch (thrown) {
    if (!ProviderFailure.is(thrown)) throw thrown
    expect(thrown.error.type).toBe('malformed')
  }
}
