import * as v from 'valibot'

const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/

/** Parses a time, in UTC where it has no zone. @returns an invalid date for any other text */
function parseTime(text: string): Date {
  const [, day = '', time = '00:00', zone = 'Z'] = ISO_TIME.exec(text) ?? []
  // `Date` reads the 30th of February as the 2nd of March.
  const midnight = new Date(`${day}T00:00Z`)
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
  return new Date(isDay ? `${day}T${time}${zone}` : Number.NaN)
}

/** A date or a time in ISO 8601. */
export const timeSchema = v.pipe(
  v.string(),
  v.maxLength(64, 'must have at most 64 characters'),
  v.transform(parseTime),
  v.check((time) => !Number.isNaN(time.getTime()), 'must be a date or a time in ISO 8601'),
)
