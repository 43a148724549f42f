import type { KyselyPlugin } from 'kysely'
import { exactInteger } from '../dialects/exact-integer.ts'

/**
 * The columns that are integers in every table, and the names of sums in queries. A driver of the host may read them as
 * text or bigint. `id` is missing: it is an integer only in `storage_qtrees`.
 */
export const integerColumns: ReadonlySet<string> = new Set([
  'admissions',
  'after_number',
  'at',
  'audio_input_tokens',
  'audio_output_tokens',
  'audio_tokens',
  'background',
  'block',
  'bytes',
  'cache_write_tokens',
  'cached_tokens',
  'characters',
  'claimed_at',
  'cost',
  'cost_billions',
  'cost_rest',
  'count',
  'created_at',
  'current',
  'day_shift',
  'day_spent',
  'day_tokens',
  'day_window',
  'done',
  'due_at',
  'enabled',
  'ended_at',
  'estimated',
  'expires_at',
  'failures',
  'files_hard',
  'files_soft',
  'first',
  'first_token_ms',
  'free',
  'free_at',
  'grace_period_seconds',
  'has_receipt',
  'hour',
  'images',
  'input_tokens',
  'items',
  'largest',
  'last',
  'last_time',
  'last_used',
  'last_used_at',
  'latency_ms',
  'lease_until',
  'length',
  'lifetime_seconds',
  'locked',
  'made_at',
  'minute_shift',
  'minute_tokens',
  'minute_window',
  'month_shift',
  'month_spent',
  'month_window',
  'next_position',
  'notice_number',
  'number',
  'oldest',
  'output_tokens',
  'partial',
  'place',
  'position',
  'qtree_id',
  'rate',
  'rate_limit',
  'reasoning_tokens',
  'remaining',
  'requests',
  'reserve_size',
  'reserved',
  'resolution',
  'responses',
  'retry_at',
  'revision',
  'revoked_at',
  'rotation',
  'running',
  'searches',
  'sequence',
  'seconds',
  'seen_at',
  'settled_at',
  'shift',
  'size',
  'space_hard',
  'space_soft',
  'span',
  'split_load_maximum',
  'start',
  'started_at',
  'status',
  'status_class',
  'stored_at',
  'streamed',
  'target',
  'temporary',
  'tokens',
  'tokens_per_day',
  'tokens_per_minute',
  'total',
  'total_spent',
  'tried_at',
  'tries',
  'unix_permissions',
  'until_number',
  'usage_count',
  'user_mapping',
  'version',
  'volume',
  'writer',
  'writes',
  'x',
  'y',
  'z',
])

/** The columns with sizes of up to 64 bits, which are never rounded. */
export const sizeColumns: ReadonlySet<string> = new Set(['space_hard', 'space_soft', 'files_hard', 'files_soft'])

const WHOLE = /^-?\d+$/

/** Reads integers as numbers where that is exact, regardless of how the host's driver reads them. */
export const exactIntegers: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    for (const row of result.rows) {
      for (const [name, value] of Object.entries(row)) {
        if (!integerColumns.has(name)) continue
        if (typeof value === 'number' && !Number.isSafeInteger(value) && sizeColumns.has(name)) {
          throw new RangeError(
            `The database driver has rounded the integer of column "${name}". Make it read large integers as texts or bigints.`,
          )
        }
        if (typeof value === 'bigint' || (typeof value === 'string' && WHOLE.test(value))) {
          row[name] = exactInteger(String(value))
        }
      }
    }
    return result
  },
}
