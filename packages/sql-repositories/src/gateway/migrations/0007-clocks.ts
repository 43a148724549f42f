import type { Schema } from '../../dialects/schema.ts'

const columns = [
  ['gateway_rate_limits', 'shift'],
  ['gateway_budgets', 'minute_shift'],
  ['gateway_budgets', 'day_shift'],
  ['gateway_reservations', 'made_at'],
] as const

export async function clocks({ addColumn, types }: Schema): Promise<void> {
  for (const [table, name] of columns) {
    // Processes of the previous release write rows without it.
    await addColumn(table, { name, type: types.integer, define: (column) => column.notNull().defaultTo(0) })
  }
}
