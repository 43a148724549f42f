import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toSize } from '../sizes/size.ts'
import { compileQuery } from './compile-query.ts'
import { defineFields, type FieldValue } from './field-catalogue.ts'
import { type Alternative, parseFilter } from './parse-filter.ts'
import type { FieldShape } from './parse-value.ts'
import { printFilter } from './print-filter.ts'
import type { OrderedValue, Term } from './query.ts'

const text: FieldShape = { type: 'string' }
const integer: FieldShape = { type: 'integer' }
const array: FieldShape = { type: 'string', array: true }
const date: FieldShape = { type: 'date' }
const type: FieldShape = { type: 'enum', values: ['tree', 'user'] }

const parsed = (filter: string, field: FieldShape) => parseFilter(filter, field)._unsafeUnwrap()
const refused = (filter: string, field: FieldShape) => parseFilter(filter, field)._unsafeUnwrapErr()

/** Whether a filter on a field holds for a value. */
function holds(filter: string, shape: FieldShape, value: FieldValue | readonly FieldValue[] | undefined): boolean {
  const catalogue = defineFields<object>()({ f: { ...shape, read: () => value } }, [])
  const any = parsed(filter, shape).map((alternative) => ({ field: 'f' as const, ...alternative }))
  return compileQuery(catalogue, { all: [{ any }] })({})
}

describe('parseFilter', () => {
  it.each<[string, FieldShape, FieldValue | readonly FieldValue[] | undefined, boolean]>([
    // unset fields
    ['5', integer, undefined, false],
    ['>5', integer, undefined, false],
    ['<5', integer, undefined, false],
    ['!5', integer, undefined, false],
    ['null', integer, undefined, true],
    ['!null', integer, undefined, false],
    ['>5|null', integer, undefined, true],
    ['*', integer, undefined, false],
    ['!*', integer, undefined, false],
    ['', text, undefined, false],
    // set fields
    ['', text, '', true],
    ['', text, 'a', false],
    ['*', text, '', true],
    ['*', integer, 0, true],
    ['!*', integer, 0, false],
    ['null', integer, 0, false],
    ['!null', integer, 0, true],
    ['>5|null', integer, 6, true],
    ['>5|null', integer, 5, false],
    ['!3', integer, 4, true],
    ['!3', integer, 3, false],
    // comparisons, ranges, any-of
    ['<10', integer, 9, true],
    ['<=10', integer, 10, true],
    ['>=10', integer, 9, false],
    ['3..10', integer, 10, true],
    ['3..10', integer, 11, false],
    ['!3..10', integer, 11, true],
    ['3|5..9|>100', integer, 7, true],
    ['3|5..9|>100', integer, 4, false],
    // integers that numbers would round
    ['9007199254740993', integer, 9007199254740993n, true],
    ['9007199254740993', integer, 9007199254740992n, false],
    ['!9007199254740993', integer, 9007199254740992n, true],
    ['8P', integer, 9007199254740992n, true],
    ['>9007199254740991', integer, 9007199254740992n, true],
    ['>9007199254740992', integer, 9007199254740992n, false],
    ['<=9223372036854775806', integer, 9223372036854775807n, false],
    ['9007199254740993..9223372036854775807', integer, 9007199254740992n, false],
    ['5|8191P', integer, 9222246136947933184n, true],
    ['jim..joe', text, 'jo', true],
    ['jim..joe', text, 'joel', false],
    ['>=joe', text, 'joel', true],
    ['!jim..joe', text, 'joel', true],
    ['-1', integer, -1, true],
    // sizes
    ['1KB', integer, 1024, true],
    ['>1mb', integer, 2 ** 20 + 1, true],
    ['1T..2T', integer, 2 ** 40, true],
    ['2PB', integer, 2 * 2 ** 50, true],
    ['1024B', integer, 1024, true],
    // wildcards
    ['abc*', text, 'abc', true],
    ['abc*xyz', text, 'abcxyz', true],
    ['abc*xyz', text, 'abcxy', false],
    ['*xyz', text, 'wxyz', true],
    ['a*b*c', text, 'a-b-b-c', true],
    ['a*a', text, 'a', false],
    ['!abc*', text, 'abd', true],
    ['ABC*', text, 'abc', false],
    ['a**b', text, 'a--b', true],
    // quotation
    ['"joe*"', text, 'joe*', true],
    ['"joe*"', text, 'joel', false],
    ['{a|b}', text, 'a|b', true],
    ['{a|b}', text, 'a', false],
    ['"null"', text, 'null', true],
    ['"null"', text, undefined, false],
    ['"qt9"', text, 'qt9', true],
    ['"a"*"b"', text, 'a--b', true],
    ['"!"', text, '!', true],
    ['""', text, '', true],
    ['a"*"b', text, 'a*b', true],
    // operators inside text are text
    ['a!b', text, 'a!b', true],
    ['a<b', text, 'a<b', true],
    ['a.b', text, 'a.b', true],
    ['a,b', text, 'a,b', true],
    // arrays
    ['sam,smith', array, ['smith'], true],
    ['sam', array, ['jim', 'sam'], true],
    ['s*', array, ['jim', 'sam'], true],
    ['!sam', array, ['jim', 'sam'], false],
    ['!sam', array, ['jim'], true],
    ['!sam', array, [], false],
    ['null', array, [], true],
    ['!null', array, ['sam'], true],
    ['', array, [''], true],
    // enums compare as text
    ['<user', type, 'tree', true],
    ['tree|user', type, 'user', true],
    ['tr*', type, 'tree', true],
    // booleans
    ['true', { type: 'boolean' }, true, true],
    ['off', { type: 'boolean' }, false, true],
    ['!true', { type: 'boolean' }, false, true],
    // dates stand for the second, the minute or the day that is written
    ['2026-01-02T03:04:05Z', date, Date.UTC(2026, 0, 2, 3, 4, 5, 678), true],
    ['2026-01-02T03:04:05.678Z', date, Date.UTC(2026, 0, 2, 3, 4, 5, 678), true],
    ['2026-01-02T03:04:05.677Z', date, Date.UTC(2026, 0, 2, 3, 4, 5, 678), false],
    ['2026-01-02T05:04:05+02:00', date, Date.UTC(2026, 0, 2, 3, 4, 5), true],
    ['2026-01-02T05:04:05 02:00', date, Date.UTC(2026, 0, 2, 3, 4, 5), true],
    ['2026-01-02', date, Date.UTC(2026, 0, 2, 23, 59), true],
    ['>2026-01-02', date, Date.UTC(2026, 0, 2, 23, 59), false],
    ['>=2026-01-02', date, Date.UTC(2026, 0, 2, 0, 0), true],
    ['<=2026-01-02', date, Date.UTC(2026, 0, 2, 23, 59), true],
    ['2026-01-01..2026-01-02', date, Date.UTC(2026, 0, 2, 23, 59), true],
  ])('evaluates `%s` on %o for %o to %s', (filter, shape, value, expected) => {
    expect(holds(filter, shape, value)).toBe(expected)
  })
})

describe('parseFilter', () => {
  it.each<[string, FieldShape]>([
    ['"a', text],
    ['{a', text],
    ['1..2..3', integer],
    ['..3', integer],
    ['3..', integer],
    ['a..', text],
    ['>', text],
    ['>a*', text],
    ['a*..b', text],
    ['!!3', integer],
    ['1*', integer],
    ['>true', { type: 'boolean' }],
    ['a\0*', text],
    [Array.from({ length: 1001 }, () => 'a').join('|'), text],
  ])('refuses the malformed filter `%s` on %o', (filter, shape) => {
    expect(refused(filter, shape)).toMatchObject({ type: 'malformed-filter' })
  })

  it.each<[string, FieldShape, string]>([
    ['abc', integer, 'abc'],
    ['', integer, ''],
    ['1.5', integer, '1.5'],
    ['1|x', integer, 'x'],
    ['9223372036854775808', integer, '9223372036854775808'],
    ['-9223372036854775808', integer, '-9223372036854775808'],
    ['8192PB', integer, '8192PB'],
    ['group', type, 'group'],
    ['maybe', { type: 'boolean' }, 'maybe'],
    ['yesterday', date, 'yesterday'],
    ['2026-13-01', date, '2026-13-01'],
    ['a\0', text, 'a\0'],
  ])('refuses `%s` on %o because of the value %s', (filter, shape, value) => {
    expect(refused(filter, shape)).toMatchObject({ type: 'invalid-value', value })
  })
})

const letters = fc.string({
  unit: fc.constantFrom(
    'a',
    'b',
    'null',
    '*',
    '|',
    ',',
    '!',
    '<',
    '>',
    '..',
    '.',
    '"',
    '{',
    '}',
    ' ',
    'é',
    '\u{1F600}',
  ),
  maxLength: 6,
})

function alternative(value: fc.Arbitrary<OrderedValue>, isText: boolean): fc.Arbitrary<Alternative> {
  const pattern = fc.array(letters, { minLength: 2, maxLength: 4 }).map((parts): Term => {
    return {
      kind: 'pattern',
      parts: parts.filter((part, index) => part !== '' || index === 0 || index === parts.length - 1),
    }
  })
  const term: fc.Arbitrary<Term> = fc.oneof(
    fc.constant<Term>({ kind: 'null' }),
    value.map((one): Term => ({ kind: 'equals', value: one })),
    fc
      .tuple(fc.constantFrom('<' as const, '<=' as const, '>' as const, '>=' as const), value)
      .map(([operator, one]): Term => ({ kind: 'compare', operator, value: one })),
    fc.tuple(value, value).map(([from, to]): Term => ({ kind: 'range', from, to })),
    isText ? pattern : fc.constant<Term>({ kind: 'pattern', parts: ['', ''] }),
  )
  return fc.record({ negated: fc.boolean(), term })
}

/** An integer near one that a number or a database rounds, as an exact text. */
const wholeText = fc
  .tuple(fc.constantFrom(0n, 2n ** 31n, 2n ** 53n, 2n ** 62n, 2n ** 63n - 4n), fc.bigInt({ min: -3n, max: 3n }))
  .map(([base, distance]) => base + distance)

/** Evaluates a filter on integers without the parser and the evaluator, on bigints alone. */
function holdsForInteger(filter: string, value: bigint | undefined): boolean {
  return filter.split('|').some((one) => {
    const [, not, operator, from = '', to] = /^(!?)(<=|>=|<|>)?(null|\*|-?\d+)(?:\.\.(-?\d+))?$/.exec(one) ?? []
    if (from === 'null') return (value === undefined) !== (not === '!')
    if (value === undefined) return false
    if (from === '*') return not !== '!'
    const low = BigInt(from)
    const matches =
      to !== undefined
        ? value >= low && value <= BigInt(to)
        : operator === '<'
          ? value < low
          : operator === '<='
            ? value <= low
            : operator === '>'
              ? value > low
              : operator === '>='
                ? value >= low
                : value === low
    return matches !== (not === '!')
  })
}

describe('a filter on integers of 64 bits', () => {
  it('holds for the same values as by an evaluator of its own', () => {
    const term = fc.oneof(
      fc.constantFrom('null', '!null', '*', '!*'),
      wholeText.map(String),
      fc
        .tuple(fc.constantFrom('!', '<', '<=', '>', '>=', '!<', '!>='), wholeText)
        .map(([operator, one]) => `${operator}${one}`),
      fc.tuple(fc.constantFrom('', '!'), wholeText, wholeText).map(([not, from, to]) => `${not}${from}..${to}`),
    )
    const filter = fc.array(term, { minLength: 1, maxLength: 4 }).map((terms) => terms.join('|'))
    fc.assert(
      fc.property(filter, fc.option(wholeText, { nil: undefined }), (one, value) => {
        expect(holds(one, integer, value === undefined ? undefined : toSize(value))).toBe(holdsForInteger(one, value))
      }),
      { numRuns: 5000 },
    )
  })
})

describe('printFilter', () => {
  it.each<[string, FieldShape, fc.Arbitrary<OrderedValue>]>([
    ['text', text, letters],
    ['array', array, letters],
    ['integer', integer, fc.maxSafeInteger()],
    ['large integer', integer, fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n })],
    ['date', date, fc.date({ min: new Date(0), max: new Date(8e12), noInvalidDate: true }).map((one) => one.getTime())],
  ])('prints %s filters that are parsed to the same alternatives', (_, shape, value) => {
    fc.assert(
      fc.property(
        fc.array(alternative(value, shape.type === 'string'), { minLength: 1, maxLength: 4 }),
        (alternatives) => {
          expect(parsed(printFilter(alternatives, shape), shape)).toEqual(alternatives)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('never throws in `parseFilter`, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(text, array, integer, date, type), (filter, shape) => {
        parseFilter(filter, shape)
      }),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(letters, fc.constantFrom(text, array, integer), (filter, shape) => void parseFilter(filter, shape)),
    )
  })
})
