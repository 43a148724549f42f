import type { Alternative } from '../../query/parse-filter.ts'
import type { Clause, Condition } from '../../query/query.ts'

/** The field of names and the field of ids of users or groups, each of which has one of both. */
interface PrincipalFields<Name extends string> {
  readonly name: Name
  readonly id: Name
}

const SECURITY_ID = /^S-1-/i

/** The most alternatives of a filter that need several clauses, which multiply. */
const MAXIMUM_NEGATED = 4

/**
 * Whether `fields` selects `users.name` (or `group.name`) and not the ids. NetApp's Ansible collection 22
 * knows names only, and means ids as well.
 */
export function selectsNamesAlone(fields: string, name: string): boolean {
  const items = fields.split(',').map((item) => item.trim())
  const object = name.slice(0, name.lastIndexOf('.'))
  return items.includes(name) && ![object, `${object}.id`, '*', '**'].some((other) => items.includes(other))
}

/**
 * Converts a filter on names to clauses on names and ids together, as on one field that has both. Digits alone are an
 * id.
 *
 * @returns `undefined` for a filter of more than 4 negated alternatives
 */
export function nameOrIdClauses<Name extends string>(
  alternatives: readonly Alternative[],
  fields: PrincipalFields<Name>,
): readonly Clause<Name>[] | undefined {
  const conjunctions = alternatives.map((alternative) => conjunction(alternative, fields))
  const several = conjunctions.filter(({ length }) => length > 1)
  if (several.length > MAXIMUM_NEGATED) return undefined
  let clauses: readonly Clause<Name>[] = [{ any: [] }]
  for (const next of several) {
    clauses = withoutWeaker(clauses.flatMap(({ any }) => next.map((other) => ({ any: [...any, ...other.any] }))))
  }
  const positive = conjunctions
    .filter(({ length }) => length === 1)
    .flatMap((single) => single.flatMap(({ any }) => any))
  return clauses.map(({ any }) => ({ any: [...any, ...positive] }))
}

/** The clauses that have to hold for one alternative. */
function conjunction<Name extends string>(
  { negated, term }: Alternative,
  fields: PrincipalFields<Name>,
): readonly Clause<Name>[] {
  const both = [fields.name, fields.id]
  const isUnset = (field: Name): Condition<Name> => ({ field, negated: false, term: { kind: 'null' } })
  const isSet = both.map((field): Condition<Name> => ({ field, negated: true, term: { kind: 'null' } }))
  if (term.kind === 'null') return negated ? [{ any: isSet }] : both.map((field) => ({ any: [isUnset(field)] }))
  const tests = both.flatMap((field): readonly Condition<Name>[] => {
    if (term.kind !== 'equals') return [{ field, negated, term }]
    const text = String(term.value)
    const isNumber = /^\d+$/.test(text)
    // A name is never a number, and neither a number nor a security id is a name.
    if (field === fields.id ? !isNumber && !SECURITY_ID.test(text) : isNumber) return []
    return [{ field, negated, term: isNumber ? { kind: 'equals', value: text.replace(/^0+(?=\d)/, '') } : term }]
  })
  if (!negated) return [{ any: tests }]
  return [{ any: isSet }, ...tests.map((test) => ({ any: [isUnset(test.field), test] }))]
}

/** Removes repeated conditions, and clauses that hold whenever another one does. */
function withoutWeaker<Name extends string>(clauses: readonly Clause<Name>[]): readonly Clause<Name>[] {
  const kept: Map<string, Condition<Name>>[] = []
  const byLength = clauses
    .map(({ any }) => new Map(any.map((condition) => [JSON.stringify(condition), condition])))
    .toSorted((left, right) => left.size - right.size)
  for (const clause of byLength) {
    if (!kept.some((stronger) => [...stronger.keys()].every((key) => clause.has(key)))) kept.push(clause)
  }
  return kept.map((clause) => ({ any: [...clause.values()] }))
}
