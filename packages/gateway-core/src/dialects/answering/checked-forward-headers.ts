/** Headers that belong to the gateway, to a connection or to a body that it encodes. */
const refused: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'api-key',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-api-key',
  'x-request-id',
])

const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const MOST = 50

/**
 * Returns the names in lower case.
 *
 * @throws TypeError for a name that is malformed or must not reach an upstream
 */
export function checkedForwardHeaders(names: readonly string[] = []): readonly string[] {
  if (!Array.isArray(names) || names.length > MOST) {
    throw new TypeError(`'forwardHeaders' must be a list of at most ${MOST} names.`)
  }
  return [...new Set(names.map(checkedName))]
}

/** Whether `forwardHeaders` of `createGateway` accepts a name: credentials and headers of connections are refused. */
export const isForwardableHeader = (name: string): boolean =>
  NAME.test(name.toLowerCase()) && !refused.has(name.toLowerCase())

function checkedName(name: unknown): string {
  const lower = typeof name === 'string' ? name.toLowerCase() : ''
  if (!NAME.test(lower)) throw new TypeError("'forwardHeaders' has an entry that is not the name of a header.")
  if (!isForwardableHeader(lower)) throw new TypeError(`'forwardHeaders' cannot have '${lower}'.`)
  return lower
}
