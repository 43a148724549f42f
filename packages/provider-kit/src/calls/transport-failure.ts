import type { ProviderErrorInit } from '@trivium/gateway-core/ports'
import { upstreamFailures } from '../answers/upstream-failures.ts'

/**
 * What an error of undici, or of the system below it, says about an upstream.
 *
 * @param connected whether the request had begun to go out
 */
export function transportFailure(error: Error, connected: boolean): ProviderErrorInit {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return upstreamFailures.connectTimedOut
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW') return upstreamFailures.notHttp
  if (!connected || code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return upstreamFailures.unreachable
  return upstreamFailures.interrupted
}
