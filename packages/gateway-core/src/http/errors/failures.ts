import type { Failures, SocketFailures } from '@trivium/http-contract'
import { ServiceClosed } from '../../lifetime.ts'
import { StoreFailure } from '../../store-failure.ts'
import { excessiveFailure, malformedFailure } from './body-failure.ts'
import { type Failure, failure } from './failure.ts'
import { failureReply } from './failure-reply.ts'
import { inputFailure } from './input-failure.ts'

/** The error responses for requests that no handler answers. */
export const failures: Failures & SocketFailures = {
  malformed: (detail) => failureReply(malformedFailure(detail)),
  excessive: (detail) => failureReply(excessiveFailure(detail)),
  invalid: (issue) => failureReply(inputFailure(issue)),
  tooLarge: (limit) =>
    failureReply(failure(413, `The request body is larger than ${limit} bytes.`, { code: 'request_too_large' })),
  methodNotAllowed: (method, allow) =>
    failureReply(failure(405, `${method} is not allowed here. Use ${allow}.`, { code: 'method_not_allowed' })),
  unexpected: (error) => failureReply(fault(error)),
  interrupted: (error) => fault(error).body,
}

function fault(error: unknown): Failure {
  if (StoreFailure.is(error)) {
    const message = 'The store of this gateway is unavailable.'
    return failure(503, message, { type: 'server_error', code: 'store_unavailable', retryAfterSeconds: 1 })
  }
  if (ServiceClosed.is(error)) {
    const message = 'The gateway is shutting down.'
    return failure(503, message, { type: 'server_error', code: 'shutting_down', retryAfterSeconds: 1 })
  }
  return failure(500, 'The gateway had an error while processing your request.', { type: 'server_error' })
}
