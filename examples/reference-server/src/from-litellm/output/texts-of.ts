/** Replaces variables by `$NAME`, and escapes texts that begin with a `$`. */
export function textsOf(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? `$${value}` : value
  if (Array.isArray(value)) return value.map(textsOf)
  if (typeof value !== 'object' || value === null) return value
  if ('variable' in value && Object.keys(value).length === 1) return `$${String(value.variable)}`
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, textsOf(part)]))
}
