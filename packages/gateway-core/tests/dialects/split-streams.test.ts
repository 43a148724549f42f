import type { Dialect } from '@trivium/gateway-core/ports'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { translatedStart } from '../../src/dialects/streams/translated-source.ts'
import { translations } from '../../src/dialects/translations.ts'
import { answerContext } from './answer-context.ts'
import { dialects, scripts } from './dialect-scripts.ts'
import { piecesOf } from './split-events.ts'

const encoder = new TextEncoder()

/** Returns what a client of `front` gets of these chunks of an upstream, and how the stream ends. */
function relay(from: Dialect, to: Dialect, chunks: Iterable<Uint8Array>): string {
  const context = answerContext({ dialect: to, stream: true }, scripts[to].request)
  const decoder = new TextDecoder()
  let output = ''
  let ending = ''
  const start = translatedStart(
    (receiver) => {
      for (const chunk of chunks) receiver.data(chunk)
      receiver.end()
      return { resume: () => undefined, cancel: () => undefined }
    },
    {
      reader: translations[from].readEvents(context),
      writer: translations[to].writeEvents(context),
      end: to === 'chat' ? 'data: [DONE]\n\n' : '',
      maxEventBytes: 2 ** 20,
      secrets: [],
      onInputTokens: () => undefined,
    },
  )
  start({
    data(bytes) {
      output += decoder.decode(bytes, { stream: true })
      return true
    },
    end() {
      ending = 'end'
    },
    failed(error) {
      ending = error.message
    },
  })
  return `${output}${ending}`
}

/** The script with characters of two and four bytes, and with another end of lines. */
const bytesOf = (dialect: Dialect, lineEnd: string): Uint8Array =>
  encoder.encode(
    scripts[dialect].events
      .join('')
      .replaceAll('it up.', 'für 🌍.')
      .replaceAll('Paris', 'Zürich')
      .replaceAll('\n', lineEnd),
  )

/** Cuts bytes at these places. */
const cutAt = (bytes: Uint8Array, places: readonly number[]): readonly Uint8Array[] =>
  [0, ...places].map((place, index) => bytes.subarray(place, places[index] ?? bytes.length))

const pairs = dialects.flatMap((from) => dialects.map((to) => [from, to] as const))

describe.each(pairs)('a stream of %s that is translated to %s', (from, to) => {
  it('keeps its output for each split of its bytes in two', () => {
    const bytes = bytesOf(from, '\n')
    const whole = relay(from, to, [bytes])
    expect(whole).toMatch(/end$/)
    expect(whole).toContain('🌍')
    for (let place = 1; place < bytes.length; place += 1) {
      if (relay(from, to, cutAt(bytes, [place])) !== whole) expect(place).toBe('a split without an effect')
    }
  })

  it.each([
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['both', '\r\n'],
  ])('keeps its output for any splits of its bytes, with %s at the end of lines', (_, lineEnd) => {
    const bytes = bytesOf(from, lineEnd)
    const whole = relay(from, to, [bytesOf(from, '\n')])
    for (const size of [1, 2, 3, 5, 7]) expect(relay(from, to, piecesOf(bytes, size))).toBe(whole)
    const places = fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 40 })
    fc.assert(
      fc.property(places, (unsorted) => {
        const sorted = [...unsorted].sort((one, other) => one - other)
        expect(relay(from, to, cutAt(bytes, sorted))).toBe(whole)
      }),
      { numRuns: 50 },
    )
  })

  it('never ends as complete where it is cut at any byte', () => {
    const bytes = bytesOf(from, '\n')
    // The last event may be complete without its blank line. Chat completions end with their reason where `[DONE]` is absent.
    const reason = scripts.chat.events.slice(0, 6).join('')
    const last = from === 'chat' ? encoder.encode(reason).length : bytes.length - 3
    for (let length = 0; length < last; length += 1) {
      const text = relay(from, to, [bytes.subarray(0, length)])
      if (/end$/.test(text) || ends[to].test(text)) expect(length).toBe('a cut that is reported')
    }
  })
})

const ends = { chat: /\[DONE\]/, responses: /response\.completed/, messages: /message_stop/ }
