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

/** Removes the headers that are only for the connection. Joins several values of a name by commas. */
export function endToEndHeaders(headers: HeaderValues): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || hopByHop.has(name)) continue
    kept[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return kept
}
