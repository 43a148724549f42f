import { type Credentials, credentialsOf, type RequestHeaders } from '@trivium/http-contract'

const KEY = /^[!-~]{1,4096}$/

/**
 * Reads the credentials of a request. The header `x-api-key` of Anthropic's clients counts as a Bearer token. Where both
 * are sent, `authorization` counts, because proxies set it. Several headers of one name are malformed.
 */
export function gatewayCredentials(headers: RequestHeaders): Credentials {
  const key = headers['x-api-key']
  if (key === undefined || headers.authorization !== undefined) return credentialsOf(headers)
  return typeof key === 'string' && KEY.test(key) ? { type: 'bearer', token: key } : { type: 'malformed' }
}
