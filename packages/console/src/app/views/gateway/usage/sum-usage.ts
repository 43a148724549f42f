/** The usage of one group, as the gateway answers it. */
export interface UsageRow {
  readonly day?: string
  readonly model?: string
  readonly key_id?: string | null
  readonly requests: number
  readonly input_tokens: number
  readonly output_tokens: number
}

export type Measure = 'requests' | 'tokens'
export type Part = 'model' | 'key'

export interface UsageSeries {
  readonly label: string
  readonly values: readonly number[]
}

/** A chart has colours for 3 series and one for the rest. */
const SHOWN_SERIES = 3

/** Returns the requests of a row, or its input and output tokens. */
export const amountOf = (
  { requests, input_tokens: input, output_tokens: output }: UsageRow,
  measure: Measure,
): number => (measure === 'requests' ? requests : input + output)

/** Returns the totals by name, the largest first. */
export function totalsOf(rows: readonly UsageRow[], measure: Measure, nameOf: (row: UsageRow) => string) {
  const totals = new Map<string, number>()
  for (const row of rows) totals.set(nameOf(row), (totals.get(nameOf(row)) ?? 0) + amountOf(row, measure))
  return [...totals].toSorted(([, one], [, other]) => other - one)
}

/** Returns a series for each of the largest names, and one for the others together. Each has a value for each day. */
export function seriesOf(
  rows: readonly UsageRow[],
  days: readonly string[],
  measure: Measure,
  nameOf: (row: UsageRow) => string,
): readonly UsageSeries[] {
  const names = totalsOf(rows, measure, nameOf).map(([name]) => name)
  const largest = new Set(names.length <= SHOWN_SERIES + 1 ? names : names.slice(0, SHOWN_SERIES))
  const labelOf = (row: UsageRow) => (largest.has(nameOf(row)) ? nameOf(row) : 'others')
  const labels = [...largest, ...(largest.size < names.length ? ['others'] : [])]
  const places = new Map(days.map((day, index) => [day, index]))
  const sums = new Map(labels.map((label) => [label, days.map(() => 0)]))
  for (const row of rows) {
    const place = places.get(row.day ?? '')
    const values = sums.get(labelOf(row))
    if (place !== undefined && values) values[place] = (values[place] ?? 0) + amountOf(row, measure)
  }
  return labels.map((label) => ({ label, values: sums.get(label) ?? [] }))
}

/** Returns the last `count` days up to a time, in UTC and ascending order: `2026-01-31`. */
export const daysUntil = (end: Date, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(end.getTime() - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  )
