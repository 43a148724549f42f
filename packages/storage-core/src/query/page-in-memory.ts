import { compareValues } from './compare-values.ts'
import { compileQuery } from './compile-query.ts'
import type { FieldCatalogue, FieldValue } from './field-catalogue.ts'
import { fullOrder, type OrderBy, type Page, type PageRequest, type Position } from './page.ts'

/** Returns one page of the given entities. The `list` of every repository returns the same for the same records. */
export function pageInMemory<Entity, Name extends string>(
  catalogue: FieldCatalogue<Entity, Name>,
  entities: Iterable<Entity>,
  { query, order, start, limit }: PageRequest<Name>,
): Page<Entity> {
  const matches = compileQuery(catalogue, query)
  const whole = fullOrder(catalogue, order)
  const readPosition = positionOf(catalogue, whole)
  const compare = comparePositions(whole)
  const needed = limit + 1
  let found: PositionedEntity<Entity>[] = []
  let last: Position | undefined
  const trimToPage = () => {
    found = found.sort((left, right) => compare(left.position, right.position)).slice(0, needed)
    last = found[needed - 1]?.position
  }
  for (const entity of entities) {
    if (!matches(entity)) continue
    const position = readPosition(entity)
    if ((start && compare(position, start) < 0) || (last && compare(position, last) > 0)) continue
    found.push({ entity, position })
    if (found.length >= 2 * needed + 1024) trimToPage()
  }
  trimToPage()
  const records = found.slice(0, limit).map(({ entity }) => entity)
  return last ? { records, next: last } : { records }
}

interface PositionedEntity<Entity> {
  readonly entity: Entity
  readonly position: Position
}

/** Returns a function that reads the position of an entity in an order. */
export function positionOf<Entity, Name extends string>(
  { fields }: FieldCatalogue<Entity, Name>,
  order: readonly OrderBy<Name>[],
): (entity: Entity) => Position {
  const reads = order.map(({ field }) => fields[field].read)
  return (entity) =>
    reads.map((read) => {
      const value = read(entity)
      return value === undefined || typeof value === 'object' ? null : value
    })
}

/** Compares the positions of two records in an order, as `sort` needs it. */
export function comparePositions(order: readonly OrderBy<string>[]): (left: Position, right: Position) => number {
  return (left, right) => {
    for (let index = 0; index < order.length; index += 1) {
      const difference = compareOrUnset(left[index] ?? null, right[index] ?? null)
      if (difference !== 0) return order[index]?.descending ? -difference : difference
    }
    return 0
  }
}

function compareOrUnset(left: FieldValue | null, right: FieldValue | null): number {
  if (left === null) return right === null ? 0 : -1
  return right === null ? 1 : compareValues(left, right)
}
