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
    const conditions = any.map((condition) => compileCondition(condition, fields[condition.field].read))
    const [only] = conditions
    return only && conditions.length === 1 ? only : (entity: Entity) => conditions.some((holds) => holds(entity))
  })
  return (entity) => clauses.every((holds) => holds(entity))
}

function compileCondition<Entity>(
  { negated, term }: Condition<string>,
  read: (entity: Entity) => FieldValue | readonly FieldValue[] | undefined,
): (entity: Entity) => boolean {
  if (term.kind === 'null') return (entity) => isUnset(read(entity)) !== negated
  const matches = compileTerm(term)
  return (entity) => {
    const value = read(entity)
    if (value === undefined) return false
    if (typeof value !== 'object') return matches(value) !== negated
    return value.length > 0 && value.some(matches) !== negated
  }
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
