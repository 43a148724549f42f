import type { Clause, Query } from '@trivium/storage-core/ports'
import type { OrderedColumn } from './page-order.ts'
import { columnOf, type RecordSource } from './record-source.ts'

/** How an index finds the records of a query in an order. */
export interface AccessPath<Name extends string> {
  /** The clauses that the index serves, each of which is an equality of one of its first columns. */
  readonly served: readonly Clause<Name>[]
  /** The clauses that are checked for each record. */
  readonly others: readonly Clause<Name>[]
  /** Whether it is an index other than the table in the order of its key. */
  readonly isIndex: boolean
}

/**
 * Finds an index that reads records in an order. `undefined` without one. Of several, it is one that serves every
 * clause, else the selective one, else the table, which reads records faster than another index.
 */
export function accessPath<Entity, Name extends string, Row>(
  source: RecordSource<Entity, Name, Row>,
  { all }: Query<Name>,
  order: readonly OrderedColumn[],
  selective?: Clause<Name>,
): AccessPath<Name> | undefined {
  const [key] = source.catalogue.key
  if (key === undefined) return undefined
  const keyColumn = columnOf(source, key).name
  const equalities = new Map<string, Clause<Name>>()
  for (const clause of all) {
    const field = equalField(clause)
    const column = field && columnOf(source, field)
    if (column && column.kind !== 'many' && !equalities.has(column.name)) equalities.set(column.name, clause)
  }
  const paths = [[], ...(source.indexes ?? [])].flatMap((index): readonly AccessPath<Name>[] => {
    const equal = index.findIndex((name) => !equalities.has(name))
    const prefixes = equal < 0 ? index.length : equal
    for (let length = prefixes; length >= 0; length -= 1) {
      if (!servesOrder([...index.slice(length), keyColumn], order, new Set(index.slice(0, length)))) continue
      const served = index.slice(0, length).flatMap((name) => equalities.get(name) ?? [])
      return [{ served, others: all.filter((clause) => !served.includes(clause)), isIndex: index.length > 0 }]
    }
    return []
  })
  return (
    paths.find(({ others }) => others.length === 0) ??
    paths.find(({ served }) => selective !== undefined && served.includes(selective)) ??
    paths[0]
  )
}

/** The field that a clause compares with one value. */
function equalField<Name extends string>({ any: [first, ...others] }: Clause<Name>): Name | undefined {
  return first && others.length === 0 && !first.negated && first.term.kind === 'equals' ? first.field : undefined
}

/** Whether the columns have the order, in which those that are constant do not count. */
function servesOrder(
  columns: readonly string[],
  order: readonly OrderedColumn[],
  constant: ReadonlySet<string>,
): boolean {
  const varying = order.filter(({ column }) => !constant.has(column.name))
  const [first] = varying
  return (
    first !== undefined &&
    varying.length >= columns.length &&
    columns.every((name, index) => {
      const ordered = varying[index]
      return ordered?.column.name === name && ordered.descending === first.descending
    })
  )
}

/** Whether an index finds the records of a clause, of which there may be many. */
export function isIndexed<Entity, Name extends string, Row>(
  source: RecordSource<Entity, Name, Row>,
  { any }: Clause<Name>,
): boolean {
  const [first] = any
  if (first === undefined || any.some(({ field, negated }) => negated || field !== first.field)) return false
  const column = columnOf(source, first.field)
  const isKey = source.catalogue.key.includes(first.field)
  const isFirst = isKey || column.kind === 'many' || source.indexes?.some(([name]) => name === column.name) === true
  const areValues = any.every(({ term }) => term.kind === 'equals')
  if (!isFirst || (any.length > 1 && !areValues)) return false
  return first.term.kind !== 'null' && (first.term.kind !== 'pattern' || first.term.parts[0] !== '')
}
