import { type RawBuilder, sql } from 'kysely'

/** SQLite allows expressions of depth 1000, and each `or` of a row adds one level. */
const LONGEST_ROW = 100

/** Joins conditions by an operator. Long rows are halved until they are short enough. */
export function joinConditions(
  conditions: readonly RawBuilder<boolean>[],
  operator: 'and' | 'or',
): RawBuilder<boolean> {
  if (conditions.length <= LONGEST_ROW) return sql`(${sql.join(conditions, sql.raw(` ${operator} `))})`
  const middle = Math.ceil(conditions.length / 2)
  const [left, right] = [conditions.slice(0, middle), conditions.slice(middle)]
  return sql`(${joinConditions(left, operator)} ${sql.raw(operator)} ${joinConditions(right, operator)})`
}
