import type { ProviderErrorInit } from '@trivium/gateway-core/ports'
import { upstreamFailures } from '../answers/upstream-failures.ts'

/**
 * Converts an error of undici, or of the system below it, to a failure.
 *
 * @param connected whether sending the request had begun
 */
export function transportFailure(error: Error, connected: boolean): ProviderErrorInit {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return upstreamFailures.connectTimedOut
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') return upstreamFailures.notHttp
  if (!connected || code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return upstreamFailures.unreachable
  return upstreamFailures.interrupted
}
