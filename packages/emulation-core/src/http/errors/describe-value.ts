const LIMIT = 100

// A deeper value is cut off in any case.
const MAX_DEPTH = LIMIT

/**
 * Prints a JSON value as Python does, for compatibility with the original server. Longer texts than 100 characters are
 * cut.
 */
export function describeValue(value: unknown): string {
  const text = print(value)
  return text.length > LIMIT ? `${text.slice(0, LIMIT)}...` : text
}

function print(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) return '...'
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return quote(value.slice(0, LIMIT + 1))
  if (Array.isArray(value))
    return `[${value
      .slice(0, 10)
      .map((part) => print(part, depth + 1))
      .join(', ')}]`
  if (typeof value !== 'object') return String(value)
  const entries = Object.entries(value).slice(0, 10)
  return `{${entries.map(([name, part]) => `${quote(name)}: ${print(part, depth + 1)}`).join(', ')}}`
}

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
