import type { Failures, Operation, SocketFailures } from '@trivium/http-contract'
import { ServiceClosed } from '../../lifetime.ts'
import { StoreFailure } from '../../store-failure.ts'
import { failure } from './failure.ts'
import { failureReply } from './failure-reply.ts'
import { inputFailure } from './input-failure.ts'

/** The error responses for requests that no handler answers. */
export const failures: Failures & SocketFailures = {
  malformed: (detail) => failureReply(failure(400, `Invalid JSON: ${detail}`)),
  invalid: (issue, operation) => failureReply(inputFailure(issue, bodyOf(operation))),
  tooLarge: (limit) => failureReply(failure(413, `The request body is larger than ${limit} bytes.`)),
  methodNotAllowed: (method, allow) => failureReply(failure(405, `${method} is not allowed here. Use ${allow}.`)),
  unexpected: (error) => {
    const known = temporaryFailure(error)
    return known ? failureReply(known, { 'retry-after': '1' }) : failureReply(internalFailure)
  },
  interrupted: (error) => (temporaryFailure(error) ?? internalFailure).body,
}

/** Finds the response to a failure after which the client can try again. */
function temporaryFailure(error: unknown) {
  if (StoreFailure.is(error)) return storeFailure
  return ServiceClosed.is(error) ? closedFailure : undefined
}

const internalFailure = failure(500, 'Internal server error.')

const storeFailure = failure(503, 'The store is unavailable.')

const closedFailure = failure(503, 'The emulation is shutting down.')

const bodyOf = (operation: Pick<Operation, 'path'> & Pick<Partial<Operation>, 'body'>) => operation.body
