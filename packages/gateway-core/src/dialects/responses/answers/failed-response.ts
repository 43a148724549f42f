import { errorBodyOf } from '../../../providers/error-body.ts'
import type { ProviderError } from '../../../providers/provider-error.ts'
import type { JsonObject } from '../../dialect.ts'

/** Returns a response that has begun as one that has failed. */
export function failedResponse(begun: JsonObject, error: ProviderError): JsonObject {
  const { code, message } = errorBodyOf(error)
  return {
    ...begun,
    status: 'failed',
    error: { code: limitCodeOf(error) ?? code ?? 'server_error', message },
    incomplete_details: null,
    output: begun.output ?? [],
    usage: null,
  }
}

/** OpenAI's word for a limit, which clients wait for. */
const limitCodeOf = (error: ProviderError): string | undefined =>
  error.type === 'refused' && error.status === 429 && error.code === undefined ? 'rate_limit_exceeded' : undefined
