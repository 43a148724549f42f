import fc from 'fast-check'
import type { FieldCatalogue, FieldValue } from '../query/field-catalogue.ts'
import type { OrderBy } from '../query/page.ts'
import type { Condition, OrderedValue, Query, Term } from '../query/query.ts'
import type { QuotaLimits } from '../quota-rules/quota-limits.ts'
import type { QuotaRule } from '../quota-rules/quota-rule.ts'
import { type Principal, type QuotaTarget, targetKeys } from '../quota-rules/quota-target.ts'
import { MAXIMUM_SIZE, type Size } from '../sizes/size.ts'
import { ruleId, svmId, volumeId } from './records.ts'

/**
 * Few characters, so that values coincide. All those that operators, LIKE, GLOB, escapes and collations treat
 * specially.
 */
const name = fc.string({
  unit: fc.constantFrom(
    'a',
    'b',
    'A',
    'é',
    '*',
    '%',
    '_',
    '?',
    '[',
    ']',
    '\\',
    "'",
    '"',
    ' ',
    '|',
    ',',
    '\uFFFD',
    '\u{1F600}',
  ),
  maxLength: 4,
})

/** Few sizes, so that they coincide: small ones, and those next to which numbers are rounded. */
export const arbitrarySize: fc.Arbitrary<Size> = fc.oneof(
  fc.integer({ min: 0, max: 8 }),
  fc.constantFrom<Size>(1024, 2 ** 31, 2 ** 32, 2 ** 53 - 2, Number.MAX_SAFE_INTEGER),
  fc.constantFrom<Size>(2n ** 53n, 2n ** 53n + 1n, 2n ** 62n, 2n ** 62n + 1n, MAXIMUM_SIZE - 1n, MAXIMUM_SIZE),
)

const principal: fc.Arbitrary<Principal> = fc.oneof(
  name.map((value) => ({ name: value })),
  fc.integer({ min: 0, max: 12 }).map((number) => ({ id: String(number) })),
)

const target: fc.Arbitrary<QuotaTarget> = fc.oneof(
  name.map((qtree) => ({ type: 'tree', qtree }) as const),
  fc
    .record(
      {
        users: fc
          .uniqueArray(principal, { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) })
          .filter(([first]) => first !== undefined),
        qtree: name,
      },
      { requiredKeys: ['users'] },
    )
    .map(({ users: [first = { name: '' }, ...others], ...scope }): QuotaTarget => {
      return { type: 'user', users: [first, ...others], ...scope }
    }),
  fc
    .record({ group: principal, qtree: name }, { requiredKeys: ['group'] })
    .map((parts): QuotaTarget => ({ type: 'group', ...parts })),
)

const limits: fc.Arbitrary<QuotaLimits> = fc.record(
  { spaceHard: arbitrarySize, spaceSoft: arbitrarySize, filesHard: arbitrarySize, filesSoft: arbitrarySize },
  { requiredKeys: [] },
)

/** Rules that a repository accepts together: no two conflict. */
export const arbitraryQuotaRules = ({ maxLength = 30 } = {}): fc.Arbitrary<readonly QuotaRule[]> =>
  fc
    .array(
      fc.record(
        {
          volume: fc.integer({ min: 1, max: 3 }),
          target,
          qtreeId: fc.integer({ min: 1, max: 4 }),
          userMapping: fc.boolean(),
          limits,
          gracePeriodSeconds: fc.integer({ min: 0, max: 8 }),
          thresholds: fc.constantFrom([80], [1, 50, 100]),
        },
        { requiredKeys: ['volume', 'target', 'limits'] },
      ),
      { maxLength },
    )
    .map((drafts) => {
      const taken = new Set<string>()
      return drafts.flatMap(({ volume, ...draft }, index): QuotaRule[] => {
        const keys = targetKeys(draft.target).map((key) => `${volume} ${key}`)
        if (keys.some((key) => taken.has(key))) return []
        for (const key of keys) taken.add(key)
        const svm = { uuid: svmId(1 + (volume % 2)), name: `svm${1 + (volume % 2)}` }
        return [{ uuid: ruleId(index), svm, volume: { uuid: volumeId(volume), name: `vol${volume}` }, ...draft }]
      })
    })

/** Queries on the fields of a catalogue, with values that its records can have. */
export function arbitraryQuery<Entity, Name extends string>(
  { fields }: FieldCatalogue<Entity, Name>,
  names: readonly [Name, ...Name[]],
): fc.Arbitrary<Query<Name>> {
  const conditionOn = (field: Name): fc.Arbitrary<Condition<Name>> => {
    const { type, values } = fields[field]
    const term =
      type === 'integer' || type === 'date' ? numberTerm : type === 'boolean' ? booleanTerm : textTerm(values)
    return fc.record({ field: fc.constant(field), negated: fc.boolean(), term })
  }
  const field = fc.constantFrom(...names)
  const ofAnyField = fc.array(field.chain(conditionOn), { minLength: 1, maxLength: 3 })
  const ofOneField = field.chain((one) => fc.array(conditionOn(one), { minLength: 2, maxLength: 5 }))
  const clause = fc.record({ any: fc.oneof(ofAnyField, ofOneField) })
  return fc.record({ all: fc.array(clause, { maxLength: 3 }) })
}

/** Orders over any of the fields, with repetitions. */
export const arbitraryOrder = <Name extends string>(
  names: readonly [Name, ...Name[]],
): fc.Arbitrary<readonly OrderBy<Name>[]> =>
  fc.array(fc.record({ field: fc.constantFrom(...names), descending: fc.boolean() }), { maxLength: 3 })

const isNull = fc.constant<Term>({ kind: 'null' })
const isSet = fc.constant<Term>({ kind: 'pattern', parts: ['', ''] })
const equals = (value: fc.Arbitrary<FieldValue>) => fc.record({ kind: fc.constant('equals' as const), value })
const ordered = (value: fc.Arbitrary<OrderedValue>): fc.Arbitrary<Term> =>
  fc.oneof(
    fc.record({ kind: fc.constant('compare'), operator: fc.constantFrom('<', '<=', '>', '>='), value }),
    fc.record({ kind: fc.constant('range'), from: value, to: value }),
  )

const numberTerm: fc.Arbitrary<Term> = fc.oneof(isNull, isSet, equals(arbitrarySize), ordered(arbitrarySize))
const booleanTerm: fc.Arbitrary<Term> = fc.oneof(isNull, isSet, equals(fc.boolean()))
const uuid = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map(ruleId),
  fc.integer({ min: 1, max: 3 }).map(volumeId),
  fc.integer({ min: 1, max: 2 }).map(svmId),
)
function textTerm(values: readonly string[] | undefined): fc.Arbitrary<Term> {
  const value = values ? fc.oneof(fc.constantFrom(...values), name) : fc.oneof(name, uuid, fc.constant('vol1'))
  const parts = fc.array(fc.oneof(name, fc.constantFrom('tr', 'ee', 'v', '1')), { minLength: 2, maxLength: 4 })
  return fc.oneof(isNull, isSet, equals(value), ordered(value), fc.record({ kind: fc.constant('pattern'), parts }))
}
