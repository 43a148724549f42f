import { formatDuration } from './format.ts'

/** Writes an ISO 8601 duration of days, hours, minutes and seconds for people: `2 h 5 min`. */
export function formatIsoDuration(text: string | undefined): string {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] =
    /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text ?? '') ?? []
  return formatDuration((((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000)
}
