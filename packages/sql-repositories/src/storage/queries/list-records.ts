import { fullOrder, type Page, type PageRequest, positionOf, type Query } from '@trivium/storage-core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database.ts'
import { joinConditions } from './join-conditions.ts'
import { orderBy, orderedColumns, startingAt } from './page-order.ts'
import { queryConditions } from './query-condition.ts'
import type { RecordSource } from './record-source.ts'

/** Reads one page from its position in the order. A late page takes no longer than the first one. */
export async function listRecords<Entity, Name extends string, Row>(
  { kysely, dialect }: Database,
  source: RecordSource<Entity, Name, Row>,
  { query, order: requestedOrder, start, limit }: PageRequest<Name>,
  extraConditions: readonly RawBuilder<boolean>[] = [],
): Promise<Page<Entity>> {
  const order = fullOrder(source.catalogue, requestedOrder)
  const columns = orderedColumns(source, order)
  const conditions = [
    ...queryConditions(dialect, source, query),
    ...(start === undefined ? [] : startingAt(columns, start)),
    ...extraConditions,
  ]
  const { rows } = await sql<Row>`
    select * from ${sql.table(source.table)} ${where(conditions)} order by ${orderBy(dialect, columns)} limit ${limit + 1}
  `.execute(kysely)
  const entities = rows.map(source.fromRow)
  const next = entities[limit]
  if (next === undefined) return { records: entities }
  return { records: entities.slice(0, limit), next: positionOf(source.catalogue, order)(next) }
}

export async function countRecords<Entity, Name extends string, Row>(
  { kysely, dialect }: Database,
  source: RecordSource<Entity, Name, Row>,
  query: Query<Name>,
  extraConditions: readonly RawBuilder<boolean>[] = [],
): Promise<number> {
  const { rows } = await sql<{ count: number | string }>`
    select count(*) as ${sql.ref('count')} from ${sql.table(source.table)}
    ${where([...queryConditions(dialect, source, query), ...extraConditions])}
  `.execute(kysely)
  return Number(rows[0]?.count)
}

function where(conditions: readonly RawBuilder<boolean>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${joinConditions(conditions, 'and')}`
}
