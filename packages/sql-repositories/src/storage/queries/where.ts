import { type RawBuilder, sql } from 'kysely'
import { joinConditions } from './join-conditions.ts'

/** The clause of a statement whose rows meet all conditions. Empty without conditions. */
export function where(conditions: readonly RawBuilder<boolean>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`where ${joinConditions(conditions, 'and')}`
}
