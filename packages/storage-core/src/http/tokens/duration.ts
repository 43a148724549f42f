import { err, type Result } from 'neverthrow'
import { type Alternative, type FilterError, parseFilter } from '../../query/parse-filter.ts'

/** Formats seconds as an ISO 8601 duration: 4200 is `PT1H10M`. */
export function formatDuration(seconds: number): string {
  const days = Math.floor(seconds / 86_400)
  const parts = [
    [Math.floor((seconds % 86_400) / 3600), 'H'],
    [Math.floor((seconds % 3600) / 60), 'M'],
    [seconds % 60, 'S'],
  ] as const
  const time = parts.map(([amount, unit]) => (amount > 0 ? `${amount}${unit}` : '')).join('')
  if (days === 0 && time === '') return 'PT0S'
  return `P${days > 0 ? `${days}D` : ''}${time === '' ? '' : `T${time}`}`
}

const DURATION = /^P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/

/** Parses whole seconds, or an ISO 8601 duration of days and smaller units, to seconds. */
export function parseDuration(text: string): number | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text)
  const parts = DURATION.exec(text)
  if (!parts || /[PT]$/.test(text)) return undefined
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
  return Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

const DURATIONS = /P(?:\d{1,9}D)?(?:T(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}S)?)?/g

/** Parses a filter whose values are durations or seconds. */
export function parseDurationFilter(filter: string): Result<readonly Alternative[], FilterError> {
  const seconds = filter.replace(DURATIONS, (text) => String(parseDuration(text) ?? text))
  return parseFilter(seconds, { type: 'integer' }).orElse((error) =>
    err(
      error.type === 'invalid-value'
        ? { ...error, expected: 'a number of seconds or a duration such as PT1H10M' }
        : error,
    ),
  )
}
