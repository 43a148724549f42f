export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>

/** Headers about one connection or the length of its body, and cookies. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Removes the headers that are only for the connection, and secrets. Joins several values of a name by commas. */
export function endToEndHeaders(headers: HeaderValues, secrets: readonly string[]): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || hopByHop.has(name)) continue
    const text = typeof value === 'string' ? value : value.join(', ')
    kept[name] = hasAny(text, secrets) ? masked(name, text, secrets) : text
  }
  return kept
}

function hasAny(text: string, secrets: readonly string[]): boolean {
  for (const secret of secrets) if (text.includes(secret)) return true
  return false
}

/** What decides how an answer is read stays, because the key of a local upstream may be any short text. */
function masked(name: string, text: string, secrets: readonly string[]): string {
  if (name.startsWith('retry-after')) return text
  const [kept = ''] = name === 'content-type' ? text.split(';', 1) : []
  return kept + secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text.slice(kept.length))
}
