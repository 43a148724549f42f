/**
 * Converts the date of a result to ISO 8601: seconds since 1970, or a date, in UTC if it has no zone. `null` for
 * anything else.
 */
export function isoDate(value: unknown): string | null {
  if (typeof value === 'number') return valid(new Date(value * 1000))
  if (typeof value !== 'string' || value === '') return null
  const hasTime = /\d{2}:\d{2}/.test(value)
  const hasZone = /(?:[zZ]|[+-]\d{2}:?\d{2}|GMT|UTC)$/.test(value)
  return valid(new Date(hasTime && !hasZone ? `${value}Z` : value))
}

const valid = (date: Date): string | null => (Number.isNaN(date.getTime()) ? null : date.toISOString())
