export type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>

/** They speak of one connection, or of the length of the body on it. */
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

/** Those that are meant for the gateway. Several values of one name are joined by commas. */
export function endToEndHeaders(headers: HeaderValues): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || hopByHop.has(name)) continue
    kept[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return kept
}
