const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** In powers of 1,024. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${value >= 100 || power === 0 ? Math.round(value) : Number(value.toPrecision(3))} ${units[power]}`
}

const numbers = new Intl.NumberFormat('en')

export const formatNumber = (value: number): string => numbers.format(value)

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** Of a time in ISO 8601, as the reader's own settings write it. */
export const formatTime = (time: string): string => moments.format(new Date(time))

const clocks = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

export const formatClock = (time: string): string => clocks.format(new Date(time))

/** How long something goes on: `3 d 4 h`. */
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
