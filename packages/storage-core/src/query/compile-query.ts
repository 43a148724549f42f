import { compareValues } from './compare-values.ts'
import type { FieldCatalogue, FieldValue } from './field-catalogue.ts'
import type { Condition, Query, Term } from './query.ts'

/**
 * Compiles a query to a function, so that it is not interpreted again for each record.
 *
 * @example
 * ```ts
 * import { compileQuery, qtreeFields } from '@trivium/storage-core/ports'
 *
 * const startsWithHome = compileQuery(qtreeFields, {
 *   all: [{ any: [{ field: 'name', negated: false, term: { kind: 'pattern', parts: ['home', ''] } }] }],
 * })
 * ```
 */
export function compileQuery<Entity, Name extends string>(
  { fields }: FieldCatalogue<Entity, Name>,
  { all }: Query<Name>,
): (entity: Entity) => boolean {
  const clauses = all.map(({ any }) => {
    const conditions = withoutRepetition(any).map(([first, ...others]) =>
      compileCondition(first, fields[first.field].read, others),
    )
    const [only] = conditions
    return only && conditions.length === 1 ? only : (entity: Entity) => conditions.some((holds) => holds(entity))
  })
  return (entity) => clauses.every((holds) => holds(entity))
}

type Group<Name extends string> = [Condition<Name>, ...Condition<Name>[]]

/** Groups the values that one field may be equal to, so that a record is compared with all of them in one step. */
function withoutRepetition<Name extends string>(any: readonly Condition<Name>[]): readonly Group<Name>[] {
  const equal = new Map<Name, Group<Name>>()
  return any.flatMap((condition): readonly Group<Name>[] => {
    if (condition.negated || condition.term.kind !== 'equals') return [[condition]]
    const group = equal.get(condition.field)
    if (group) {
      group.push(condition)
      return []
    }
    const first: Group<Name> = [condition]
    equal.set(condition.field, first)
    return [first]
  })
}

/** @param others more values that the field may be equal to */
function compileCondition<Entity>(
  { negated, term }: Condition<string>,
  read: (entity: Entity) => FieldValue | readonly FieldValue[] | undefined,
  others: readonly Condition<string>[],
): (entity: Entity) => boolean {
  if (term.kind === 'null') return (entity) => isUnset(read(entity)) !== negated
  const matches =
    term.kind === 'equals' && others.length > 0
      ? oneOfValues([term, ...others.map((one) => one.term)])
      : compileTerm(term)
  return (entity) => {
    const value = read(entity)
    if (value === undefined) return false
    if (typeof value !== 'object') return matches(value) !== negated
    return value.length > 0 && value.some(matches) !== negated
  }
}

function oneOfValues(terms: readonly Term[]): (value: FieldValue) => boolean {
  const values = new Set(terms.flatMap((term) => (term.kind === 'equals' ? [term.value] : [])))
  return (value) => values.has(value)
}

const isUnset = (value: FieldValue | readonly FieldValue[] | undefined): boolean =>
  value === undefined || (typeof value === 'object' && value.length === 0)

function compileTerm(term: Exclude<Term, { kind: 'null' }>): (value: FieldValue) => boolean {
  switch (term.kind) {
    case 'equals':
      return (value) => value === term.value
    case 'range':
      return (value) => compareValues(value, term.from) >= 0 && compareValues(value, term.to) <= 0
    case 'pattern':
      return (value) => matchesPattern(String(value), term.parts)
    case 'compare':
      switch (term.operator) {
        case '<':
          return (value) => compareValues(value, term.value) < 0
        case '<=':
          return (value) => compareValues(value, term.value) <= 0
        case '>':
          return (value) => compareValues(value, term.value) > 0
        case '>=':
          return (value) => compareValues(value, term.value) >= 0
      }
  }
}

function matchesPattern(text: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  const end = text.length - last.length
  let from = first.length
  for (let index = 1; index < parts.length - 1; index += 1) {
    const part = parts[index] ?? ''
    const found = text.indexOf(part, from)
    if (found < 0 || found + part.length > end) return false
    from = found + part.length
  }
  return true
}
