import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import type { GatewayTables, UsageRow, UsageSumRow } from './gateway-tables.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** Spans from the shortest to the longest. Each is a multiple of the one before. */
export const spans = [HOUR_MS, DAY_MS]
const SUMS_PER_STATEMENT = 1_000
const keyColumns = ['span', 'start', 'group_hash'] as const
const countColumns = ['requests', 'failures', 'partial', 'input_tokens', 'output_tokens', 'images'] as const

export type UsageCounts = Pick<UsageSumRow, (typeof countColumns)[number]>
type Used = Pick<UsageRow, 'at' | 'day' | 'key_id' | 'model'> & { readonly counts: UsageCounts }

export const countsOf = ({ status, partial, input_tokens, output_tokens, images }: UsageRow): UsageCounts => ({
  requests: 1,
  failures: status >= 400 ? 1 : 0,
  partial,
  input_tokens,
  output_tokens,
  images,
})

/**
 * Adds to the sums of every hour and day, or subtracts from them. All writers use one order, which prevents deadlocks.
 */
export async function changeSums(
  transaction: Kysely<GatewayTables>,
  dialect: Dialect,
  used: readonly Used[],
  direction: 1 | -1,
): Promise<void> {
  const sums = new Map<string, UsageSumRow>()
  const hashes = new Map<string, string>()
  for (const { at, day, key_id, model, counts } of used) {
    const group = `${key_id.length}/${key_id}${model}`
    for (const span of spans) {
      const start = at - (at % span)
      const id = `${span}/${start}/${group}`
      let sum = sums.get(id)
      if (sum === undefined) {
        const group_hash = hashes.get(group) ?? groupHash(key_id, model)
        hashes.set(group, group_hash)
        sum = { span, start, group_hash, key_id, model, day, ...noUsage }
        sums.set(id, sum)
      }
      for (const name of countColumns) sum[name] += direction * counts[name]
    }
  }
  const rows = [...sums.values()].sort(inOrder)
  for (let first = 0; first < rows.length; first += SUMS_PER_STATEMENT) {
    const query = transaction.insertInto('gateway_usage_sums').values(rows.slice(first, first + SUMS_PER_STATEMENT))
    await dialect.addUp(query, { table: 'gateway_usage_sums', key: keyColumns, columns: countColumns }).execute()
  }
}

const noUsage: UsageCounts = { requests: 0, failures: 0, partial: 0, input_tokens: 0, output_tokens: 0, images: 0 }

/** A digest, since names of models are too long for an index. */
const groupHash = (keyId: string, model: string): string =>
  createHash('sha256')
    .update(JSON.stringify([keyId, model]))
    .digest('base64url')

const inOrder = (one: UsageSumRow, other: UsageSumRow): number =>
  one.span - other.span || one.start - other.start || (one.group_hash < other.group_hash ? -1 : 1)
