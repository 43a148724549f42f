const CREDENTIAL_NAME = /key|token|auth|cookie|secret|passw|credential|signature/i

/** Shorter values occur in too many texts that do not contain the secret. */
const SHORTEST_PART = 6

const SCHEME = /^(?:basic|bearer|token)\s+/i

/**
 * Collects the secrets in an upstream's request headers: the values of headers whose names indicate credentials,
 * without their scheme, and the values of single cookies. The longest come first.
 */
export function upstreamSecrets(headers: Readonly<Record<string, string | undefined>>): readonly string[] {
  const found = Object.entries(headers).flatMap(([name, value = '']) =>
    CREDENTIAL_NAME.test(name) ? partsOf(name.toLowerCase(), value.trim()) : [],
  )
  return [...new Set(found)].filter((secret) => secret !== '').toSorted((one, other) => other.length - one.length)
}

function partsOf(name: string, value: string): readonly string[] {
  if (name.endsWith('authorization')) return [value.replace(/^[\w-]+\s+/, '')]
  if (name !== 'cookie') return [value.replace(SCHEME, '')]
  const cookies = value.split(/\s*;\s*/).map((cookie) => cookie.slice(cookie.indexOf('=') + 1))
  return [value, ...cookies.filter((cookie) => cookie.length >= SHORTEST_PART)]
}
