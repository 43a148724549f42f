import type { Clause, Condition, FieldType, FieldValue, Query, Term } from '@trivium/storage-core'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import type { Column, ColumnOfMany, RecordSource } from './record-source.ts'

const NEVER = sql<boolean>`1 = 0`

/** The query in SQL: what must hold, all of it. An unset field is null, which fits no test, as the query wants it. */
export function queryConditions<Entity, Name extends string, Row>(
  dialect: Dialect,
  source: RecordSource<Entity, Name, Row>,
  { all }: Query<Name>,
): readonly RawBuilder<boolean>[] {
  const clause = ({ any }: Clause<Name>) => {
    const conditions = any.map((condition) => {
      const column = source.columns[condition.field]
      const { type } = source.catalogue.fields[condition.field]
      return column.kind === 'many'
        ? conditionOfMany(dialect, source.table, column, type, condition)
        : conditionOf(dialect, column, type, condition)
    })
    return conditions.length === 0 ? NEVER : sql<boolean>`(${sql.join(conditions, sql` or `)})`
  }
  return all.map(clause)
}

function conditionOf(
  dialect: Dialect,
  column: Column,
  type: FieldType,
  { negated, term }: Condition<string>,
): RawBuilder<boolean> {
  const value = sql.ref(column.name)
  if (term.kind === 'null') return isSet(value, negated)
  const fits = termOf(dialect, value, type, term)
  return negated ? sql`not (${fits})` : fits
}

/** Few rows fit a value, so they are found first; whether there is any value is asked of each record that comes up. */
function conditionOfMany(
  dialect: Dialect,
  owner: string,
  { name, table, reference }: ColumnOfMany,
  type: FieldType,
  { negated, term }: Condition<string>,
): RawBuilder<boolean> {
  const value = sql.ref(name)
  const uuid = sql.ref(`${owner}.uuid`)
  const hasAny = sql<boolean>`exists (
    select 1 from ${sql.table(table)} where ${sql.ref(`${table}.${reference}`)} = ${uuid} and ${isSet(value, true)}
  )`
  if (term.kind === 'null') return negated ? hasAny : sql`not ${hasAny}`
  if (fitsAnything(term)) return negated ? NEVER : hasAny
  const test = termOf(dialect, value, type, term)
  const fits = sql<boolean>`${uuid} in (select ${sql.ref(reference)} from ${sql.table(table)} where ${test})`
  return negated ? sql`(${hasAny} and not ${fits})` : fits
}

const fitsAnything = (term: Term): boolean => term.kind === 'pattern' && term.parts.every((part) => part === '')

function isSet(value: RawBuilder<unknown>, set: boolean): RawBuilder<boolean> {
  return set ? sql`${value} is not null` : sql`${value} is null`
}

function termOf(
  dialect: Dialect,
  value: RawBuilder<unknown>,
  type: FieldType,
  term: Exclude<Term, { kind: 'null' }>,
): RawBuilder<boolean> {
  switch (term.kind) {
    case 'equals':
      return sql`${value} = ${toColumnValue(term.value)}`
    case 'compare':
      return sql`${value} ${sql.raw(term.operator)} ${term.value}`
    case 'range':
      return sql`${value} between ${term.from} and ${term.to}`
    case 'pattern':
      // Any set value fits. Of an unset one it is null, as any other test.
      return isText(type) ? dialect.fitsPattern(value, term.parts) : sql`${value} = ${value}`
  }
}

/** As it is kept: booleans are 0 and 1. */
export function toColumnValue(value: FieldValue): string | number {
  return typeof value === 'boolean' ? Number(value) : value
}

const isText = (type: FieldType): boolean => type === 'string' || type === 'enum' || type === 'uuid'
