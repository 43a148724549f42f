import type { Nanodollars } from '@trivium/gateway-core'
import type { BudgetAccount } from '@trivium/gateway-core/ports'
import type { BudgetRow } from './gateway-tables.ts'

export const toRow = (account: BudgetAccount): Omit<BudgetRow, 'key_id'> => ({
  minute_window: account.minuteWindow,
  minute_tokens: account.minuteTokens,
  minute_shift: account.minuteShift,
  day_window: account.dayWindow,
  day_tokens: account.dayTokens,
  day_spent: account.daySpent,
  day_shift: account.dayShift,
  month_window: account.monthWindow,
  month_spent: account.monthSpent,
  month_shift: account.monthShift,
  total_spent: account.totalSpent,
})

export const fromRow = (row: BudgetRow): BudgetAccount => ({
  minuteWindow: row.minute_window,
  minuteTokens: row.minute_tokens,
  minuteShift: row.minute_shift,
  dayWindow: row.day_window,
  dayTokens: row.day_tokens,
  daySpent: row.day_spent as Nanodollars, // stored as the gateway counted it
  dayShift: row.day_shift,
  monthWindow: row.month_window,
  monthSpent: row.month_spent as Nanodollars, // likewise
  monthShift: row.month_shift,
  totalSpent: row.total_spent as Nanodollars, // likewise
})
