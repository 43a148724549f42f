import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { describeIssue, describeRequirement } from './describe-issue.ts'

function issueOf(schema: v.GenericSchema, input: unknown) {
  const { issues } = v.safeParse(schema, input)
  if (!issues) throw new Error('the schema accepts the input')
  return issues[0]
}

const variant = v.variant('type', [v.object({ type: v.literal('text') }), v.object({ type: v.literal('file') })])

describe('describeIssue', () => {
  it.each<[string, v.GenericSchema, unknown, string]>([
    ['a number for a string', v.string(), 1, 'expected a string, but got the number 1'],
    ['a string for a number', v.number(), '1', 'expected a number, but got "1"'],
    ['null', v.boolean(), null, 'expected a boolean, but got null'],
    ['a boolean', v.array(v.string()), true, 'expected an array, but got true'],
    ['an array', v.string(), ['secret'], 'expected a string, but got an array'],
    ['an object', v.string(), { key: 'secret' }, 'expected a string, but got an object'],
    ['an object without a prototype', v.string(), Object.create(null), 'expected a string, but got an object'],
    ['a missing field', v.object({ a: v.string() }), {}, 'expected a value, but got nothing'],
    ['a field that is undefined', v.object({ a: v.string() }), { a: undefined }, 'expected a string, but got nothing'],
    ['a field too many', v.strictObject({}), { b: 1 }, 'expected nothing, but got "b"'],
    ['a foreign choice', v.picklist(['a', 'b | c', 'd']), 'e', 'expected "a", "b | c" or "d", but got "e"'],
    ['a foreign number', v.picklist([1, 2]), 3, 'expected 1 or 2, but got the number 3'],
    ['a foreign literal', v.literal('a'), 'b', 'expected "a", but got "b"'],
    [
      'no member of a union',
      v.union([v.string(), v.array(v.string())]),
      1,
      'expected a string or an array, but got the number 1',
    ],
    [
      'no member of a union within a union',
      v.union([v.union([v.string(), v.null()]), v.boolean()]),
      1,
      'expected a string, null or a boolean, but got the number 1',
    ],
    ['no variant', variant, { type: 'image' }, 'expected "text" or "file", but got "image"'],
    [
      'a text that is too long',
      v.pipe(v.string(), v.maxLength(2)),
      'secret',
      'expected at most 2 characters, but got 6',
    ],
    [
      'an array that is too short',
      v.pipe(v.array(v.string()), v.minLength(1)),
      [],
      'expected at least 1 item, but got 0',
    ],
    [
      'a record that is too large',
      v.pipe(v.record(v.string(), v.string()), v.maxEntries(0)),
      { a: '' },
      'expected at most 0 entries, but got 1',
    ],
    ['a number that is too large', v.pipe(v.number(), v.maxValue(2)), 3, 'expected at most 2, but got 3'],
    ['a number that is not allowed', v.pipe(v.number(), v.notValue(2)), 2, 'expected anything other than 2, but got 2'],
    ['a fraction', v.pipe(v.number(), v.integer()), 1.5, 'expected a valid integer, but got 1.5'],
    [
      'a text of another form',
      v.pipe(v.string(), v.regex(/^\d+$/)),
      'a',
      'expected a text that matches /^\\d+$/, but got "a"',
    ],
    ['a text that is not a UUID', v.pipe(v.string(), v.uuid()), 'a', 'expected a valid UUID, but got "a"'],
    [
      'a failed check',
      v.pipe(
        v.string(),
        v.check(() => false),
      ),
      'a',
      'expected a valid input, but got "a"',
    ],
  ])('words %s', (_, schema, input, words) => {
    expect(describeIssue(issueOf(schema, input))).toBe(words)
  })

  it('returns the message of the schema unchanged', () => {
    expect(describeIssue(issueOf(v.string('must be text'), 1))).toBe('must be text')
  })

  it('cuts a received string after 100 characters', () => {
    const words = describeIssue(issueOf(v.number(), 'x'.repeat(1000)))
    expect(words).toBe(`expected a number, but got "${'x'.repeat(100)}…"`)
  })

  it('cuts the words after 300 characters', () => {
    const choices = Array.from({ length: 100 }, (_, index) => `choice ${index}`)
    expect(describeIssue(issueOf(v.picklist(choices), 'x'))).toHaveLength(301)
  })
})

describe('describeRequirement', () => {
  it.each<[string, v.GenericSchema, unknown, string]>([
    ['the allowed types', v.union([v.string(), v.number()]), null, 'expected a string or a number'],
    ['the allowed length', v.pipe(v.string(), v.maxLength(2)), 'abc', 'expected at most 2 characters'],
    ['the message of the schema', v.string('must be text'), 1, 'must be text'],
  ])('words %s without the received value', (_, schema, input, words) => {
    expect(describeRequirement(issueOf(schema, input))).toBe(words)
  })
})
