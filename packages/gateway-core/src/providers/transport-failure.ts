import type { ProviderErrorInit } from './provider-error.ts'

/**
 * What an error of undici, or of the system below it, tells about an upstream.
 *
 * @param connected whether the request had begun to go out
 */
export function transportFailure(error: Error, connected: boolean): ProviderErrorInit {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return { type: 'timed-out', phase: 'connect', message: 'The upstream took too long to connect to.' }
  }
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { type: 'malformed', message: 'The upstream answered with something that is not HTTP.' }
  }
  if (!connected || code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return { type: 'unreachable', message: 'The upstream can not be reached.' }
  }
  return { type: 'interrupted', message: 'The upstream closed the connection before its answer was complete.' }
}
