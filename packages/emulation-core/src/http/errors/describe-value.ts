const LIMIT = 100

/** What is deeper would be cut off in any case. */
const MAX_DEPTH = LIMIT

/** A JSON value as Python prints it, which is how clients of this interface know it; long ones are cut. */
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
