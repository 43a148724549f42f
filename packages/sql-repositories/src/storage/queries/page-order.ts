import type { FieldValue, OrderBy, Position } from '@trivium/storage-core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import { toColumnValue } from './query-condition.ts'
import { type Column, columnOf, type RecordSource } from './record-source.ts'

export interface OrderedColumn {
  readonly column: Column
  readonly descending: boolean
}

export function orderedColumns<Entity, Name extends string, Row>(
  source: RecordSource<Entity, Name, Row>,
  order: readonly OrderBy<Name>[],
): readonly OrderedColumn[] {
  return order.map(({ field, descending }) => ({ column: columnOf(source, field), descending }))
}

/** The columns of an `order by`. With `indexed: false`, SQLite sorts the rows that it finds by another index. */
export function orderBy(
  dialect: Dialect,
  order: readonly OrderedColumn[],
  { indexed = true }: { readonly indexed?: boolean } = {},
): RawBuilder<unknown> {
  return sql.join(
    order.map(({ column, descending }) => {
      const reference = indexed ? sql.ref(column.name) : sql`+${sql.ref(column.name)}`
      return dialect.orderOf(reference, { descending, nullable: column.kind === 'optional' })
    }),
  )
}

/** Conditions of the rows of a part of an order, all of which must be true. */
export type Range = readonly RawBuilder<boolean>[]

/**
 * Divides the rows from a position on into ranges, in their order: those that equal it in all columns but the last, then
 * those that equal it in all but the last two, and so on. An index of the columns serves each range, which it does not
 * for a condition that joins them by `or`. Without a position, one range has every row.
 */
export function rangesFrom(order: readonly OrderedColumn[], start: Position | undefined): readonly Range[] {
  if (start === undefined || order.length === 0) return [[]]
  const last = order.length - 1
  return order
    .map((ordered, index): readonly Range[] => {
      const value = start[index] ?? null
      const equal = order.slice(0, index).map((before, position) => isEqual(before, start[position] ?? null))
      const after = index === last ? [notBefore(ordered, value)] : rangesAfter(ordered, value)
      return after.map((range) => [...equal, ...range])
    })
    .toReversed()
    .flat()
}

/** The rows after a value in an order by one column. */
function rangesAfter({ column, descending }: OrderedColumn, value: FieldValue | null): readonly Range[] {
  const reference = sql.ref(column.name)
  if (value === null) return descending ? [] : [[sql`${reference} is not null`]]
  const bound = toColumnValue(value)
  if (!descending) return [[sql`${reference} > ${bound}`]]
  const less: readonly Range[] = [[sql`${reference} < ${bound}`]]
  return column.kind === 'optional' ? [...less, [sql`${reference} is null`]] : less
}

function isEqual({ column }: OrderedColumn, value: FieldValue | null): RawBuilder<boolean> {
  const reference = sql.ref(column.name)
  return value === null ? sql`${reference} is null` : sql`${reference} = ${toColumnValue(value)}`
}

/** The rows at a value or after it, in an order by one column. */
function notBefore({ column, descending }: OrderedColumn, value: FieldValue | null): Range {
  const reference = sql.ref(column.name)
  if (value === null) return descending ? [sql`${reference} is null`] : []
  const bound = toColumnValue(value)
  if (!descending) return [sql`${reference} >= ${bound}`]
  return column.kind === 'optional'
    ? [sql`(${reference} <= ${bound} or ${reference} is null)`]
    : [sql`${reference} <= ${bound}`]
}

/** The rows at a value or before it, in an order by one column. */
export const notAfter = ({ column, descending }: OrderedColumn, value: FieldValue | null): Range =>
  notBefore({ column, descending: !descending }, value)
