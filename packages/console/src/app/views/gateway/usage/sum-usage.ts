import { keyName } from '../keys/key-name.ts'

/** The usage of one group, as the gateway answers it. */
export interface UsageRow {
  /** `true` for the sums of all groups that are not among the largest. */
  readonly other?: true
  readonly day?: string
  readonly model?: string
  readonly key_id?: string | null
  readonly key_name?: string
  readonly username?: string
  readonly user_id?: string
  readonly requests: number
  readonly input_tokens: number
  readonly output_tokens: number
  /** US dollars. */
  readonly cost: string
}

export type Measure = 'requests' | 'tokens' | 'cost'
export type Part = 'model' | 'key'

export interface UsageSeries {
  readonly label: string
  readonly values: readonly number[]
}

/** Returns the requests of a row, its input and output tokens, or its cost in US dollars. */
export function amountOf({ requests, input_tokens, output_tokens, cost }: UsageRow, measure: Measure): number {
  if (measure === 'cost') return Number(cost)
  return measure === 'requests' ? requests : input_tokens + output_tokens
}

/** Returns the filter that selects the records of a row; `undefined` where none does. */
export function filterOf({ other, model, key_id: key, user_id: user }: UsageRow, part: Part) {
  if (other) return undefined
  if (part === 'model') return model === undefined ? undefined : { model }
  if (key) return { key_id: key }
  return user === undefined ? undefined : { user_id: user }
}

/** Names what a row is about for people: `notebook of ada`, or the id of a key that was deleted. */
export function rowName(
  { other, model = '', key_id: key, key_name: name, username, user_id: user }: UsageRow,
  part: Part,
) {
  if (other) return 'all others'
  if (part === 'model') return model
  if (!key) return user ?? 'the admin'
  return username === undefined ? key : keyName({ username, name: name ?? null })
}

/** Returns the amount of each day, 0 for days without a row. */
export function amountsBy(days: readonly string[], rows: readonly UsageRow[], measure: Measure): readonly number[] {
  const amounts = new Map(rows.map((row) => [row.day, amountOf(row, measure)]))
  return days.map((day) => amounts.get(day) ?? 0)
}

/** Returns the series of the largest parts, and one of what all others have together, where they have anything. */
export function withOthers(largest: readonly UsageSeries[], all: readonly number[]): readonly UsageSeries[] {
  const rest = all.map((amount, day) => {
    const left = largest.reduce((sum, { values }) => sum - (values[day] ?? 0), amount)
    // Differences of dollars are not exact in binary, and nothing costs less than a billionth.
    return Math.max(0, Math.round(left * 1e9) / 1e9)
  })
  return rest.some((amount) => amount > 0) ? [...largest, { label: 'others', values: rest }] : largest
}

/** Returns the last `count` days up to a time, in UTC and ascending order: `2026-01-31`. */
export const daysUntil = (end: Date, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(end.getTime() - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  )
