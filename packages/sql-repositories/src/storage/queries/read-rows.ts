import { setImmediate } from 'node:timers/promises'

/** Some milliseconds where rows have documents to parse. */
const ROWS_IN_TURN = 1000

/** Reads the entities of rows, and lets other requests run in between. */
export async function readRows<Row, Entity>(rows: readonly Row[], fromRow: (row: Row) => Entity): Promise<Entity[]> {
  const entities: Entity[] = []
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_IN_TURN === ROWS_IN_TURN - 1) await setImmediate()
    entities.push(fromRow(row))
  }
  return entities
}
