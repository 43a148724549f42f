import type { Failures, Operation, Reply } from '@trivium/http-contract'
import { StoreFailure } from '../../store-failure.ts'
import { type ApiFailure, failureBody } from './api-failure.ts'
import { codes } from './error-codes.ts'
import { inputFailure } from './input-failures.ts'

export const failureReply = (failure: ApiFailure, headers: Readonly<Record<string, string>> = {}): Reply => ({
  kind: 'json',
  status: failure.status,
  headers: { 'content-type': 'application/hal+json', ...headers },
  value: failureBody(failure),
})

export interface StorageFailuresOptions {
  /** The first parts of the field names that an endpoint knows, whatever its operations can set of them. */
  readonly knownFields: (path: string) => ReadonlySet<string>
}

export const storageFailures = ({ knownFields }: StorageFailuresOptions): Failures => ({
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
  unexpected: (error) =>
    StoreFailure.is(error) ? failureReply(storeFailure, { 'retry-after': '1' }) : failureReply(internalFailure),
  interrupted: () => failureBody(internalFailure),
})

const internalFailure: ApiFailure = { status: 500, code: codes.internal, message: 'Internal error' }

/** ONTAP has no number for it: whoever looks for the status knows that it passes. */
const storeFailure: ApiFailure = {
  status: 503,
  code: codes.internal,
  message: 'The store is unavailable at the moment',
}
