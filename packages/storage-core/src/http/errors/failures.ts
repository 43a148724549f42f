import { asSentence, type Failures, type Operation, type SocketFailures } from '@trivium/http-contract'
import { ServiceClosed } from '../../lifetime.ts'
import { StoreFailure } from '../../store-failure.ts'
import { knownFields } from '../known-fields.ts'
import { bodyRefused } from './body-refused.ts'
import { codes } from './error-codes.ts'
import { type Failure, failureBody } from './failure.ts'
import { failureReply } from './failure-reply.ts'
import { inputFailure } from './input-failure.ts'
import { unknownSibling } from './unknown-sibling.ts'

/** The answers to requests that reach no handler or whose handler throws. */
export const failures: Failures & SocketFailures = {
  malformed: (detail, operation) =>
    takesBody(operation)
      ? failureReply({ status: 400, code: codes.invalidJson, message: asSentence(`Invalid JSON: ${detail}`) })
      : bodyRefused,
  invalid: (issue, operation) => {
    const { path } = operation
    const body = bodyOf(operation)
    if (issue.part === 'body' && !body) return bodyRefused
    return failureReply(inputFailure(unknownSibling(issue, body) ?? issue, knownFields(path)))
  },
  tooLarge: (limit, operation) =>
    takesBody(operation)
      ? failureReply({ status: 413, code: codes.invalidValue, message: `The body is larger than ${limit} bytes.` })
      : bodyRefused,
  methodNotAllowed: (method, allow) =>
    failureReply({
      status: 405,
      code: codes.notSupported,
      message: `The operation ${method} is not supported here. Supported: ${allow}.`,
    }),
  unexpected: (error) => {
    const known = temporaryFailure(error)
    return known ? failureReply(known, { 'retry-after': '1' }) : failureReply(internalFailure)
  },
  interrupted: () => failureBody(internalFailure),
}

const bodyOf = ({ body }: Pick<Operation, 'path'> & Pick<Partial<Operation>, 'body'>) => body

const takesBody = ({ body, upload }: Operation): boolean => body !== undefined || upload !== undefined

/** The failure of an error that passes, after which a client may try again. */
function temporaryFailure(error: unknown): Failure | undefined {
  if (StoreFailure.is(error)) return storeFailure
  return ServiceClosed.is(error) ? closedFailure : undefined
}

const internalFailure: Failure = { status: 500, code: codes.internal, message: 'An internal error occurred.' }

/** ONTAP has no code for it. The status shows that the request can be sent again. */
const storeFailure: Failure = {
  status: 503,
  code: codes.internal,
  message: 'The store is unavailable.',
}

const closedFailure: Failure = { status: 503, code: codes.internal, message: 'The storage is shutting down.' }
