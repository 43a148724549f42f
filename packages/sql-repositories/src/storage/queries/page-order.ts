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

export function orderBy(dialect: Dialect, order: readonly OrderedColumn[]): RawBuilder<unknown> {
  return sql.join(
    order.map(({ column, descending }) =>
      dialect.orderOf(sql.ref(column.name), { descending, nullable: column.kind === 'optional' }),
    ),
  )
}

/**
 * Conditions of the rows at a position of the order or after it: after it in the first column, or equal there and after
 * it in the next, and so on. The bound of the first column is repeated as a condition of its own, for an index.
 */
export function startingAt(order: readonly OrderedColumn[], start: Position): readonly RawBuilder<boolean>[] {
  const [first] = order
  if (first === undefined) return []
  const bound = start[0] ?? null
  const rest = fromPosition(order, start, 0)
  return order.length === 1 ? [rest] : [notBefore(first, bound), rest]
}

function fromPosition(order: readonly OrderedColumn[], start: Position, index: number): RawBuilder<boolean> {
  const ordered = order[index]
  const value = start[index] ?? null
  if (ordered === undefined) return sql`1 = 1`
  if (index === order.length - 1) return notBefore(ordered, value)
  return sql`(${isAfter(ordered, value)} or (${isEqual(ordered, value)} and ${fromPosition(order, start, index + 1)}))`
}

function isAfter({ column, descending }: OrderedColumn, value: FieldValue | null): RawBuilder<boolean> {
  const reference = sql.ref(column.name)
  if (value === null) return descending ? sql`1 = 0` : sql`${reference} is not null`
  const bound = toColumnValue(value)
  if (!descending) return sql`${reference} > ${bound}`
  return column.kind === 'optional'
    ? sql`(${reference} < ${bound} or ${reference} is null)`
    : sql`${reference} < ${bound}`
}

function isEqual({ column }: OrderedColumn, value: FieldValue | null): RawBuilder<boolean> {
  const reference = sql.ref(column.name)
  return value === null ? sql`${reference} is null` : sql`${reference} = ${toColumnValue(value)}`
}

function notBefore({ column, descending }: OrderedColumn, value: FieldValue | null): RawBuilder<boolean> {
  const reference = sql.ref(column.name)
  if (value === null) return descending ? sql`${reference} is null` : sql`1 = 1`
  const bound = toColumnValue(value)
  if (!descending) return sql`${reference} >= ${bound}`
  return column.kind === 'optional'
    ? sql`(${reference} <= ${bound} or ${reference} is null)`
    : sql`${reference} <= ${bound}`
}
