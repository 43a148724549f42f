import type { Schema } from '../../dialects/schema.ts'

const tables = [
  'gateway_rate_limits',
  'gateway_rate_blocks',
  'gateway_budgets',
  'gateway_reservations',
  'gateway_usage',
  'gateway_usage_sums',
]

/** The longest id of an account: `user:` and 128 characters. */
const ACCOUNT_LENGTH = 133

/** Since this migration `key_id` is the id of an account: of a key, or of a user of the host. */
export async function accounts({ widenText, types }: Schema): Promise<void> {
  for (const table of tables) await widenText(table, { name: 'key_id', type: types.varchar(ACCOUNT_LENGTH) })
}
