import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileQuery } from '../../query/compile-query.ts'
import { defineFields } from '../../query/field-catalogue.ts'
import { parseFilter } from '../../query/parse-filter.ts'
import { nameOrIdClauses, selectsNamesAlone } from './names-or-ids.ts'

interface Owned {
  readonly names: readonly string[]
  readonly ids: readonly string[]
}

const catalogue = defineFields<Owned>()(
  {
    name: { type: 'string', array: true, read: ({ names }) => names },
    id: { type: 'string', array: true, read: ({ ids }) => ids },
    either: { type: 'string', array: true, read: ({ names, ids }) => [...names, ...ids] },
  },
  [],
)

const names = ['', 'fred', 'sam', 'smith', 'x7']
const ids = ['7', '9009', '300010', 'S-1-5-21']
const owned = fc.record({
  names: fc.subarray(names.slice(1), { maxLength: 2 }),
  ids: fc.subarray(ids, { maxLength: 2 }),
})
const term = fc.oneof(
  fc.constantFrom(...names, ...ids, 'null', '*', 's*', '*7', '9*'),
  fc.constantFrom('<s', '>=7', 'fred..sam'),
)
const alternative = fc.tuple(fc.boolean(), term).map(([negated, text]) => (negated ? `!${text}` : text))
const filter = fc.array(alternative, { minLength: 1, maxLength: 4 }).map((alternatives) => alternatives.join('|'))

describe('nameOrIdClauses', () => {
  it('matches what a filter on one field of names and ids matches', () => {
    fc.assert(
      fc.property(filter, fc.array(owned, { maxLength: 20 }), (text, records) => {
        const alternatives = parseFilter(text, catalogue.fields.name)._unsafeUnwrap()
        const clauses = nameOrIdClauses(alternatives, { name: 'name', id: 'id' }) ?? []
        const holds = compileQuery(catalogue, { all: clauses })
        const expected = compileQuery(catalogue, {
          all: [{ any: alternatives.map((one) => ({ field: 'either', ...one })) }],
        })
        expect(records.filter(holds)).toEqual(records.filter(expected))
      }),
      { numRuns: 2000 },
    )
  })

  it('refuses more than 4 negated alternatives', () => {
    const text = Array.from({ length: 20 }, (_, index) => `!a${index}*`).join('|')
    const alternatives = parseFilter(text, catalogue.fields.name)._unsafeUnwrap()
    expect(nameOrIdClauses(alternatives, { name: 'name', id: 'id' })).toBeUndefined()
  })

  it('combines any number of values', () => {
    const text = Array.from({ length: 1000 }, (_, index) => String(index)).join(',')
    const alternatives = parseFilter(text, catalogue.fields.name)._unsafeUnwrap()
    const [clause, ...others] = nameOrIdClauses(alternatives, { name: 'name', id: 'id' }) ?? []
    expect(others).toEqual([])
    expect(clause?.any).toHaveLength(1000)
  })
})

describe('selectsNamesAlone', () => {
  it.each([
    ['users.name', true],
    ['svm.uuid, users.name ,', true],
    ['users.name,users.id', false],
    ['users', false],
    ['users.name,*', false],
    ['users.name,**', false],
    ['group.name', false],
    ['', false],
  ])('returns for the fields "%s" %s', (fields, expected) => {
    expect(selectsNamesAlone(fields, 'users.name')).toBe(expected)
  })
})
