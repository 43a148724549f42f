/**
 * Returns the distance of the means of two samples, in standard errors (Welch's t). An absolute value over 4.5 counts as a
 * difference, as is usual for measurements of timing leaks.
 */
export function welch(ones: readonly number[], others: readonly number[]): number {
  const [one, other] = [sampleStatistics(ones), sampleStatistics(others)]
  return (one.mean - other.mean) / Math.sqrt(one.variance / ones.length + other.variance / others.length)
}

export const WELCH_LIMIT = 4.5

function sampleStatistics(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
  return { mean, variance }
}
