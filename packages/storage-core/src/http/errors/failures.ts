import type { Failures, Operation } from '@trivium/http-contract'
import { ServiceClosed } from '../../lifetime.ts'
import { StoreFailure } from '../../store-failure.ts'
import { knownFields } from '../known-fields.ts'
import { codes } from './error-codes.ts'
import { type Failure, failureBody } from './failure.ts'
import { failureReply } from './failure-reply.ts'
import { inputFailure } from './input-failure.ts'

/** How the storage words what no handler answers. */
export const failures: Failures = {
  malformed: (detail) => failureReply({ status: 400, code: codes.invalidJson, message: `Invalid JSON: ${detail}` }),
  // A field that nobody knows tells more than one that is missing: it may be its misspelt name.
  invalid: (issues, { path }: Operation) => {
    const telling = issues.find(({ issue }) => issue.expected === 'never') ?? issues[0]
    return failureReply(inputFailure(telling, knownFields(path)))
  },
  tooLarge: (limit) =>
    failureReply({ status: 413, code: codes.invalidValue, message: `The body is larger than ${limit} bytes.` }),
  methodNotAllowed: (method, allow) =>
    failureReply({
      status: 405,
      code: codes.notSupported,
      message: `The operation ${method} is not supported here; ${allow} are.`,
    }),
  unexpected: (error) => {
    const known = passing(error)
    return known ? failureReply(known, { 'retry-after': '1' }) : failureReply(internalFailure)
  },
  interrupted: () => failureBody(internalFailure),
}

/** What a client may try again. */
function passing(error: unknown): Failure | undefined {
  if (StoreFailure.is(error)) return storeFailure
  return ServiceClosed.is(error) ? closedFailure : undefined
}

const internalFailure: Failure = { status: 500, code: codes.internal, message: 'Internal error' }

/** ONTAP has no number for it: whoever looks for the status knows that it passes. */
const storeFailure: Failure = {
  status: 503,
  code: codes.internal,
  message: 'The store is unavailable',
}

const closedFailure: Failure = { status: 503, code: codes.internal, message: 'The storage is shutting down' }
