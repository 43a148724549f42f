/** The value that a share of all values are at or below. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** What several rounds of one measurement gave. */
export const spreadOf = (rounds: readonly number[]): Spread => ({
  median: percentile(rounds, 0.5),
  least: Math.min(...rounds),
  most: Math.max(...rounds),
})

/** One against the other round by round: what else the machine did then met both. */
export const ratioOf = (ones: readonly number[], others: readonly number[]): Spread =>
  spreadOf(ones.map((one, round) => one / (others[round] ?? Number.NaN)))

/** The columns of a table. */
export const columnsOf = ({ median, least, most }: Spread, name: string, digits: number) => ({
  [name]: median.toFixed(digits),
  from: least.toFixed(digits),
  to: most.toFixed(digits),
})
