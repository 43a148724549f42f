const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const

/** Writes a size in powers of 1,024: `1.5 MiB`. */
export function formatBytes(size: number | bigint): string {
  const bytes = Number(size)
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${value >= 100 || power === 0 ? Math.round(value) : Number(value.toPrecision(3))} ${units[power]}`
}

const numbers = new Intl.NumberFormat('en')

/** Writes a number with separators of thousands: `1,024`. */
export const formatNumber = (value: number | bigint): string => numbers.format(value)

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 })

/** Writes an amount of US dollars: `$1,024.50`. */
export const formatDollars = (amount: number): string => dollars.format(amount)

const dateTimes = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** Writes the date and time of an ISO 8601 text, in the locale of the browser. */
export const formatTime = (time: string): string => dateTimes.format(new Date(time))

const timesOfDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** Writes the time of day of an ISO 8601 text, in the locale of the browser. */
export const formatTimeOfDay = (time: string): string => timesOfDay.format(new Date(time))

/** Writes a duration with at most 2 units: `3 d 4 h`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([value]) => value > 0)
  if (first < 0) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ')
}
