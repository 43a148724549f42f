/** Returns the value that a share of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** Returns the spread of several rounds of one measurement. */
export const spreadOf = (rounds: readonly number[]): Spread => ({
  median: percentile(rounds, 0.5),
  least: Math.min(...rounds),
  most: Math.max(...rounds),
})

/** Returns the spread of the ratios round by round: other work of the machine affects both sides of a round. */
export const ratioOf = (ones: readonly number[], others: readonly number[]): Spread =>
  spreadOf(ones.map((one, round) => one / (others[round] ?? Number.NaN)))

/** Returns the columns of a table. */
export const columnsOf = ({ median, least, most }: Spread, name: string, digits: number) => ({
  [name]: median.toFixed(digits),
  from: least.toFixed(digits),
  to: most.toFixed(digits),
})
