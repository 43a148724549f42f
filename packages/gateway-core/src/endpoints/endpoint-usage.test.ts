import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usageIn } from './endpoint-usage.ts'

const encoder = new TextEncoder()
const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value))

const results = [{ index: 0, document: { text: 'word '.repeat(250_000) } }]
const usage = { total_tokens: 300_000 }
const counted = { inputTokens: 300_000, outputTokens: 0 }
const nested = { text: 'b', usage: { total_tokens: 1 }, meta: { tokens: { input_tokens: 1 } } }

describe('usageIn', () => {
  it.each([
    ['at the start', { usage, results: [...results, nested] }],
    ['at the end', { results: [...results, nested], usage }],
    ['before short members', { results, usage, model: 'm', list: [nested], last: nested }],
    ['after short members', { model: 'm', list: [nested], first: nested, usage, results: [...results, nested] }],
    ['as Cohere reports it', { results: [...results, nested], meta: { api: {}, tokens: { input_tokens: 300_000 } } }],
  ])('reads that of a large answer %s', (_, answer) => {
    expect(usageIn(bytesOf(answer))).toEqual(counted)
    expect(usageIn(encoder.encode(`\n${JSON.stringify(answer, undefined, 2)}\r\n`))).toEqual(counted)
  })

  it.each([
    ['a document', { results: [...results, nested] }],
    ['a document at the start', { first: nested, results }],
    ['a text', { results, last: '"usage":{"total_tokens":1}', other: '\\","usage":{"total_tokens":1},"a":"\\\\' }],
    ['a name', { results, 'x","usage': { total_tokens: 1 } }],
    ['a list', [nested, ...results, nested]],
    ['the middle', { results, usage, more: results }],
  ])('reads none of a large answer from %s', (_, answer) => {
    expect(usageIn(bytesOf(answer))).toBeUndefined()
  })

  it('reads what a parser would, with any strings around it', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', ':', ',', '"usage":{"total_tokens":1}', 'a') })
    fc.assert(
      fc.property(text, fc.nat(5000), fc.array(text, { maxLength: 3 }), (last, size, more) => {
        const answer = { results, a: '\\"'.repeat(size), [last]: more, usage, b: last }
        expect(usageIn(bytesOf(answer))).toEqual(counted)
      }),
      { numRuns: 30 },
    )
  })

  it('reads none from what is no JSON', () => {
    for (const text of ['', '}', '"', '{"usage', '"}"}', '\\"}', '{"\\x":1}', '{,:}'])
      for (const padded of [`${' '.repeat(2 ** 20)}${text}`, `${text}${'x'.repeat(2 ** 20)}${text}`])
        expect(usageIn(encoder.encode(padded))).toBeUndefined()
  })
})
