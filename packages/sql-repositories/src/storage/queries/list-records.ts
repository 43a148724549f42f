import { fullOrder, type Page, type PageRequest, positionOf, type Query } from '@trivium/storage-core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database.ts'
import { accessPath } from './access-path.ts'
import { orderBy, orderedColumns, rangesFrom } from './page-order.ts'
import { queryConditions } from './query-condition.ts'
import { readRows } from './read-rows.ts'
import type { RecordSource } from './record-source.ts'
import { countInSteps, listInSteps, type WantedRecords } from './steps.ts'
import { where } from './where.ts'

/**
 * Reads one page from its position in the order. A late page takes no longer than the first one.
 *
 * SQLite runs in this process, which can do nothing else during a statement. So there, records with indexes are read
 * by statements that are bounded: those that an index serves, or steps over a part of the records.
 */
export async function listRecords<Entity, Name extends string, Row>(
  database: Database,
  source: RecordSource<Entity, Name, Row>,
  request: PageRequest<Name>,
  extraConditions: readonly RawBuilder<boolean>[] = [],
): Promise<Page<Entity>> {
  const { query, order: requestedOrder, start, limit } = request
  const order = fullOrder(source.catalogue, requestedOrder)
  const wanted = { query, order, start, count: limit + 1 }
  const rows =
    source.indexes && extraConditions.length === 0 && database.dialect.runsInProcess
      ? await listBounded(database, source, wanted)
      : await listRanges(database, source, wanted, extraConditions)
  const entities = await readRows(rows, source.fromRow)
  const next = entities[limit]
  if (next === undefined) return { records: entities }
  return { records: entities.slice(0, limit), next: positionOf(source.catalogue, order)(next) }
}

async function listRanges<Entity, Name extends string, Row>(
  { kysely, dialect }: Database,
  source: RecordSource<Entity, Name, Row>,
  { query, order, start, count }: WantedRecords<Name>,
  extraConditions: readonly RawBuilder<boolean>[] = [],
): Promise<readonly Row[]> {
  const columns = orderedColumns(source, order)
  const conditions = [...queryConditions(dialect, source, query), ...extraConditions]
  const found: Row[] = []
  for (const range of rangesFrom(columns, start)) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(source.table)} ${where([...conditions, ...range])}
      order by ${orderBy(dialect, columns)} limit ${count - found.length}
    `.execute(kysely)
    found.push(...rows)
    if (found.length >= count) break
  }
  return found
}

async function listBounded<Entity, Name extends string, Row>(
  database: Database,
  source: RecordSource<Entity, Name, Row>,
  wanted: WantedRecords<Name>,
): Promise<readonly Row[]> {
  const columns = orderedColumns(source, wanted.order)
  const path = accessPath(source, wanted.query, columns)
  if (path?.others.length === 0) return listRanges(database, source, wanted)
  return listInSteps(database, source, wanted)
}

export async function countRecords<Entity, Name extends string, Row>(
  database: Database,
  source: RecordSource<Entity, Name, Row>,
  query: Query<Name>,
  extraConditions: readonly RawBuilder<boolean>[] = [],
): Promise<number> {
  const { kysely, dialect } = database
  if (source.indexes && extraConditions.length === 0 && dialect.runsInProcess)
    return countInSteps(database, source, query)
  const { rows } = await sql<{ count: number | string }>`
    select count(*) as ${sql.ref('count')} from ${sql.table(source.table)}
    ${where([...queryConditions(dialect, source, query), ...extraConditions])}
  `.execute(kysely)
  return Number(rows[0]?.count)
}
