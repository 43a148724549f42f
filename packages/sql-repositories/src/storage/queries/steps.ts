import { setImmediate } from 'node:timers/promises'
import {
  type Clause,
  comparePositions,
  type FieldValue,
  type OrderBy,
  type Position,
  positionOf,
  type Query,
} from '@trivium/storage-core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database.ts'
import { type AccessPath, accessPath, isIndexed } from './access-path.ts'
import { joinConditions } from './join-conditions.ts'
import { notAfter, type OrderedColumn, orderBy, orderedColumns, type Range, rangesFrom } from './page-order.ts'
import { queryConditions } from './query-condition.ts'
import type { RecordSource } from './record-source.ts'
import { where } from './where.ts'

/** The first `count` records from a position on, in a full order. */
export interface WantedRecords<Name extends string> {
  readonly query: Query<Name>
  readonly order: readonly OrderBy<Name>[]
  readonly start: Position | undefined
  readonly count: number
}

/** So many records are found by an index and sorted in about 50 ms. */
const FEW = 20_000

/** The records of the first step. A page whose filter matches most records needs no more. */
const FIRST_STEP = 4_000

/** The most records of a step in the order of the key, which takes about 10 ms. */
const KEY_STEP = 40_000

/** The most records of a step in the order of another index, each of which is fetched by its key. */
const INDEX_STEP = 8_000

/** So many records may be added to a slice of an index between the two statements that read its end and its records. */
const ADDED_MEANWHILE = 1_000

/** After so many records of an index, reading all records in the order of the key is faster. */
const INDEX_RECORDS = 30_000

/** The clause that matches fewest records by an index. `undefined` where each matches more than {@link FEW}. */
async function selectiveClause<Entity, Name extends string, Row>(
  { kysely, dialect }: Database,
  source: RecordSource<Entity, Name, Row>,
  { all }: Query<Name>,
): Promise<Clause<Name> | undefined> {
  let best: Clause<Name> | undefined
  let fewest = FEW
  for (const clause of all.filter((one) => isIndexed(source, one))) {
    const condition = where(queryConditions(dialect, source, { all: [clause] }))
    const { rows } = await sql<{ count: number }>`
      select count(*) as ${sql.ref('count')}
      from (select 1 from ${sql.table(source.table)} ${condition} limit ${fewest + 1})
    `.execute(kysely)
    const count = Number(rows[0]?.count)
    if (count > fewest) continue
    best = clause
    fewest = count
  }
  return best
}

/** Reads the records of a clause by its index, which are few, and sorts them. */
async function sortFew<Entity, Name extends string, Row>(
  { kysely, dialect }: Database,
  source: RecordSource<Entity, Name, Row>,
  { query: { all }, order, start, count }: WantedRecords<Name>,
  clause: Clause<Name>,
): Promise<readonly Row[]> {
  const columns = orderedColumns(source, order)
  const condition = queryConditions(dialect, source, { all: [clause] })
  const others = [
    ...queryConditions(dialect, source, { all: all.filter((one) => one !== clause) }),
    joinConditions(atOrAfter(columns, start), 'or'),
  ]
  const { rows } = await sql<Row>`
    select * from ${sql.table(source.table)} ${where([...condition, ...others.map(unindexed)])}
    order by ${orderBy(dialect, columns, { indexed: false })} limit ${count}
  `.execute(kysely)
  return rows
}

/** A condition that SQLite checks for each row, instead of finding the rows by an index. */
const unindexed = (condition: RawBuilder<boolean>): RawBuilder<boolean> => sql`(${condition} is true)`

/** Conditions one of which is true for each row at a position or after it. */
const atOrAfter = (columns: readonly OrderedColumn[], start: Position | undefined): Range =>
  rangesFrom(columns, start).map((range) => joinConditions([...range, TRUE], 'and'))

/**
 * Reads records by statements that each read a bounded number, and lets other work run between them: those of a clause
 * that matches few; else in the wanted order, where an index has it; else all in the order of the key, of which it keeps
 * the first.
 */
export async function listInSteps<Entity, Name extends string, Row>(
  database: Database,
  source: RecordSource<Entity, Name, Row>,
  wanted: WantedRecords<Name>,
): Promise<readonly Row[]> {
  const selective = await selectiveClause(database, source, wanted.query)
  const path = accessPath(source, wanted.query, orderedColumns(source, wanted.order), selective)
  if (selective && !path?.served.includes(selective)) return sortFew(database, source, wanted, selective)
  const inOrder = path && (await listAlong(database, source, wanted, path))
  return inOrder ?? keepFirst(database, source, wanted)
}

/** @returns `undefined` where another way to the page is faster */
async function listAlong<Entity, Name extends string, Row>(
  database: Database,
  source: RecordSource<Entity, Name, Row>,
  { order, start, count }: WantedRecords<Name>,
  path: AccessPath<Name>,
): Promise<readonly Row[] | undefined> {
  const columns = orderedColumns(source, order)
  const found: Row[] = []
  let records = 0
  for await (const slice of slices(database, source, { path, order, start })) {
    found.push(...(await matchesIn(database, source, { slice, path, columns, count: count - found.length })))
    if (found.length >= count) return found
    records += slice.size
    if (path.isIndex && records >= INDEX_RECORDS) return undefined
  }
  return found
}

async function keepFirst<Entity, Name extends string, Row>(
  database: Database,
  source: RecordSource<Entity, Name, Row>,
  { query, order, start, count }: WantedRecords<Name>,
): Promise<readonly Row[]> {
  const columns = orderedColumns(source, order)
  const readPosition = positionOf(source.catalogue, order)
  const compare = comparePositions(order)
  const fromStart = joinConditions(atOrAfter(columns, start), 'or')
  const [first] = columns
  const { path, keys } = tablePath(source, query)
  let found: readonly { readonly row: Row; readonly position: Position }[] = []
  for await (const slice of slices(database, source, { path, order: keys, start: undefined })) {
    const last = found.length < count ? undefined : found.at(-1)?.position
    const bounds = [fromStart, ...(last && first ? notAfter(first, last[0] ?? null) : [])]
    const rows = await matchesIn(database, source, { slice, path, columns, count, bounds })
    found = [...found, ...rows.map((row) => ({ row, position: readPosition(source.fromRow(row)) }))]
      .sort((one, other) => compare(one.position, other.position))
      .slice(0, count)
  }
  return found.map(({ row }) => row)
}

/** Counts records by statements that each read a bounded number, or by one that only reads an index. */
export async function countInSteps<Entity, Name extends string, Row>(
  database: Database,
  source: RecordSource<Entity, Name, Row>,
  query: Query<Name>,
): Promise<number> {
  const { kysely, dialect } = database
  const count = async (from: RawBuilder<unknown>, conditions: Range): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as ${sql.ref('count')} from ${from} ${where(conditions)}
    `.execute(kysely)
    return Number(rows[0]?.count)
  }
  const [only] = query.all
  const isOfIndex = only === undefined || (query.all.length === 1 && isIndexed(source, only))
  if (isOfIndex) return count(sql.table(source.table), queryConditions(dialect, source, query))
  const selective = await selectiveClause(database, source, query)
  if (selective) {
    const others = queryConditions(dialect, source, { all: query.all.filter((one) => one !== selective) })
    const condition = queryConditions(dialect, source, { all: [selective] })
    return count(sql.table(source.table), [...condition, ...others.map(unindexed)])
  }
  const { path, keys } = tablePath(source, query)
  const conditions = queryConditions(dialect, source, { all: path.others })
  let total = 0
  for await (const { from, bounds } of slices(database, source, { path, order: keys, start: undefined })) {
    total += await count(from, [...bounds, ...conditions.map(unindexed)])
  }
  return total
}

const TRUE = sql<boolean>`1 = 1`

/** The path that reads the table, in the order of the key. */
function tablePath<Entity, Name extends string, Row>(source: RecordSource<Entity, Name, Row>, query: Query<Name>) {
  const keys: readonly OrderBy<Name>[] = source.catalogue.key.map((field) => ({ field, descending: false }))
  const path: AccessPath<Name> = { served: [], others: query.all, isIndex: false }
  return { path, keys }
}

interface Slice {
  /** A table of the same name that has the records. */
  readonly from: RawBuilder<unknown>
  /** Conditions that only the records of the slice meet, where the table has others. */
  readonly bounds: Range
  /** The most records that it has. */
  readonly size: number
}

interface Slicing<Name extends string> {
  readonly path: AccessPath<Name>
  readonly order: readonly OrderBy<Name>[]
  readonly start: Position | undefined
}

/** Divides the records of a path, from a position on, into slices of a bounded size. Lets other work run after each. */
async function* slices<Entity, Name extends string, Row>(
  { kysely, dialect }: Database,
  source: RecordSource<Entity, Name, Row>,
  { path, order, start }: Slicing<Name>,
): AsyncGenerator<Slice> {
  const table = sql.table(source.table)
  const columns = orderedColumns(source, order)
  const names = sql.join(columns.map(({ column }) => sql.ref(column.name)))
  const served = queryConditions(dialect, source, { all: path.served })
  const largest = path.isIndex ? INDEX_STEP : KEY_STEP
  let size = Math.min(FIRST_STEP, largest)
  let [range, ...later] = rangesFrom(columns, start)
  while (range !== undefined) {
    const ordered = sql`${where([...served, ...range])} order by ${orderBy(dialect, columns)}`
    const { rows } = await sql<Readonly<Record<string, FieldValue | null>>>`
      select ${names} from ${table} ${ordered} limit 1 offset ${size}
    `.execute(kysely)
    const [row] = rows
    const position = row && columns.map(({ column }) => row[column.name] ?? null)
    if (path.isIndex) {
      const from = sql`(select * from ${table} ${ordered} limit ${size + ADDED_MEANWHILE}) as ${table}`
      yield { size, from, bounds: position ? [isBefore(columns, position)] : [] }
    } else {
      const [key] = columns
      const end = position?.[0] ?? null
      yield { size, from: sql`${table}`, bounds: [...range, ...(key && end !== null ? [isBeforeKey(key, end)] : [])] }
    }
    await setImmediate()
    ;[range, ...later] = position ? rangesFrom(columns, position) : later
    size = Math.min(size * 4, largest)
  }
}

const isBefore = (columns: readonly OrderedColumn[], position: Position): RawBuilder<boolean> =>
  sql`(${joinConditions(atOrAfter(columns, position), 'or')} is not true)`

/** The same for the key alone, by which the table is ordered. */
const isBeforeKey = ({ column, descending }: OrderedColumn, value: FieldValue): RawBuilder<boolean> =>
  sql`${sql.ref(column.name)} ${sql.raw(descending ? '>' : '<')} ${value}`

interface Matching<Name extends string> {
  readonly slice: Slice
  readonly path: AccessPath<Name>
  readonly columns: readonly OrderedColumn[]
  readonly count: number
  readonly bounds?: Range
}

/** The first records of a slice that the clauses match that the path does not serve. */
async function matchesIn<Entity, Name extends string, Row>(
  { kysely, dialect }: Database,
  source: RecordSource<Entity, Name, Row>,
  { slice, path, columns, count, bounds = [] }: Matching<Name>,
): Promise<readonly Row[]> {
  const conditions = [...queryConditions(dialect, source, { all: path.others }), ...bounds].map(unindexed)
  const { rows } = await sql<Row>`
    select * from ${slice.from} ${where([...slice.bounds, ...conditions])} order by ${orderBy(dialect, columns)} limit ${count}
  `.execute(kysely)
  return rows
}
