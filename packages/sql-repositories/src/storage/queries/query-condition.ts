import type { Clause, Condition, FieldType, FieldValue, Query, Term } from '@trivium/storage-core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import { joinConditions } from './join-conditions.ts'
import { type Column, type ColumnOfMany, columnOf, type RecordSource } from './record-source.ts'

const NEVER = sql<boolean>`1 = 0`

/**
 * Longer lists of conditions get `is true`: planners compare all index strategies of two long lists, which takes
 * seconds.
 */
const MAX_PLANNED = 16

/** Equals one of several values. Planners treat it as one condition for any number of values. */
interface OneOf {
  readonly kind: 'one-of'
  readonly values: readonly FieldValue[]
}

type SqlCondition<Name extends string> = Omit<Condition<Name>, 'term'> & { readonly term: Term | OneOf }

/**
 * Translates a query to SQL conditions, all of which must be true. An unset field is null, which matches no condition.
 */
export function queryConditions<Entity, Name extends string, Row>(
  dialect: Dialect,
  source: RecordSource<Entity, Name, Row>,
  { all }: Query<Name>,
): readonly RawBuilder<boolean>[] {
  const clause = ({ any }: Clause<Name>) => {
    const conditions = mergeEquals(any).map((condition) => {
      const column = columnOf(source, condition.field)
      const { type } = source.catalogue.fields[condition.field]
      return column.kind === 'many'
        ? conditionOfMany(dialect, source.table, column, type, condition)
        : conditionOf(dialect, column, type, condition)
    })
    if (conditions.length === 0) return NEVER
    const some = joinConditions(conditions, 'or')
    return conditions.length > MAX_PLANNED ? sql<boolean>`(${some} is true)` : some
  }
  return all.map(clause)
}

/** Combines all values that a field may equal into one condition. */
function mergeEquals<Name extends string>(any: readonly Condition<Name>[]): readonly SqlCondition<Name>[] {
  const valuesOf = new Map<Name, FieldValue[]>()
  const others: SqlCondition<Name>[] = []
  for (const condition of any) {
    const { field, negated, term } = condition
    if (negated || term.kind !== 'equals') {
      others.push(condition)
      continue
    }
    const values = valuesOf.get(field)
    if (values) values.push(term.value)
    else valuesOf.set(field, [term.value])
  }
  const lists = [...valuesOf].map(([field, values]) => {
    return { field, negated: false, term: { kind: 'one-of', values } as const }
  })
  return [...lists, ...others]
}

function conditionOf(
  dialect: Dialect,
  column: Column,
  type: FieldType,
  { negated, term }: SqlCondition<string>,
): RawBuilder<boolean> {
  const value = sql.ref(column.name)
  if (term.kind === 'null') return isSet(value, negated)
  const matches = termOf(dialect, value, type, term)
  return negated ? sql`not (${matches})` : matches
}

/**
 * Few rows match a value, so the database finds them first. Whether a record has any value is checked for each record.
 */
function conditionOfMany(
  dialect: Dialect,
  owner: string,
  { name, table, reference }: ColumnOfMany,
  type: FieldType,
  { negated, term }: SqlCondition<string>,
): RawBuilder<boolean> {
  const value = sql.ref(name)
  const uuid = sql.ref(`${owner}.uuid`)
  const hasAny = sql<boolean>`exists (
    select 1 from ${sql.table(table)} where ${sql.ref(`${table}.${reference}`)} = ${uuid} and ${isSet(value, true)}
  )`
  if (term.kind === 'null') return negated ? hasAny : sql`not ${hasAny}`
  if (matchesAnything(term)) return negated ? NEVER : hasAny
  const test = termOf(dialect, value, type, term)
  const matches = sql<boolean>`${uuid} in (select ${sql.ref(reference)} from ${sql.table(table)} where ${test})`
  return negated ? sql`(${hasAny} and not ${matches})` : matches
}

const matchesAnything = (term: Term | OneOf): boolean =>
  term.kind === 'pattern' && term.parts.every((part) => part === '')

function isSet(value: RawBuilder<unknown>, set: boolean): RawBuilder<boolean> {
  return set ? sql`${value} is not null` : sql`${value} is null`
}

function termOf(
  dialect: Dialect,
  value: RawBuilder<unknown>,
  type: FieldType,
  term: Exclude<Term | OneOf, { kind: 'null' }>,
): RawBuilder<boolean> {
  switch (term.kind) {
    case 'equals':
      return sql`${value} = ${toColumnValue(term.value)}`
    case 'one-of': {
      const [first, ...others] = term.values.map(toColumnValue)
      return others.length === 0 ? sql`${value} = ${first}` : sql`${value} in (${sql.join([first, ...others])})`
    }
    case 'compare':
      return sql`${value} ${sql.raw(term.operator)} ${term.value}`
    case 'range':
      return sql`${value} between ${term.from} and ${term.to}`
    case 'pattern':
      // Matches any value that is set. For an unset value it is null, like all other conditions.
      return isText(type) ? dialect.matchesPattern(value, term.parts) : sql`${value} = ${value}`
  }
}

/** Converts a value to its form in a column. Booleans become 0 and 1. */
export function toColumnValue(value: FieldValue): string | number | bigint {
  return typeof value === 'boolean' ? Number(value) : value
}

const isText = (type: FieldType): boolean => type === 'string' || type === 'enum' || type === 'uuid'
