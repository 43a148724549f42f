import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeInTurns } from './encode-in-turns.ts'
import { jsonLength } from './json-length.ts'

const decoder = new TextDecoder()

it('encodeInTurns leaves small bodies to their provider', async () => {
  expect(await encodeInTurns({ model: 'm' })).toBeUndefined()
})

it('encodeInTurns ends where its signal is aborted', async () => {
  const controller = new AbortController()
  let pieces = 0
  const piece = {
    get text() {
      pieces += 1
      return 'x'.repeat(2 ** 20)
    },
  }
  const encoded = encodeInTurns({ list: Array.from({ length: 20 }, () => piece) }, controller.signal)
  const counted = pieces
  setTimeout(() => controller.abort(new Error('The client has disconnected.')))
  await expect(encoded).rejects.toThrow('The client has disconnected.')
  expect(pieces - counted).toBeLessThan(10)
})

it('encodeInTurns writes a large body as JSON.stringify does', async () => {
  const long = 'é🔑"\\\n'.repeat(2 ** 19)
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }), async (value) => {
      const body = { value, long, shifted: `a${long}`, absent: undefined, list: [undefined, []], none: {} }
      const encoded = await encodeInTurns(body)
      expect(decoder.decode(encoded) === JSON.stringify(body)).toBe(true)
    }),
    { numRuns: 5 },
  )
})

it('jsonLength is the length of JSON without escapes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const json = JSON.stringify(value)
      if (!json.includes('\\')) expect(jsonLength(value)).toBe(json.length)
    }),
  )
})
