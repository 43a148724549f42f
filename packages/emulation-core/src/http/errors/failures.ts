import type { Failures, Operation, Reply, SocketFailures } from '@trivium/http-contract'
import * as v from 'valibot'
import { type EmulationError, StoreFailure } from '../../index.ts'
import { whole } from '../requests/fields.ts'
import { errorMessages } from './error-messages.ts'
import { invalidMessage } from './invalid-message.ts'

interface Failure {
  readonly message: string
  /** The HTTP status. */
  readonly status: number
}

/** Under a name, because every operation has it many times: written out, the contract's type is too long to declare. */
export interface FailureSchema extends v.GenericSchema<Failure> {}

/** Every error's body. */
const failure: FailureSchema = v.pipe(v.object({ message: v.string(), status: whole }), v.title('EmulationFailure'))

/** What every operation may answer. */
export const failureResponses = {
  400: failure,
  401: failure,
  403: failure,
  404: failure,
  405: failure,
  409: failure,
  413: failure,
  500: failure,
  503: failure,
} as const

type FailureStatus = 400 | 403 | 404 | 409

export interface FailureAnswer<Status extends FailureStatus = FailureStatus> {
  readonly status: Status
  readonly body: Failure
}

/** The answer to an outcome that the domain expects. */
export function failureAnswer(error: EmulationError): FailureAnswer {
  const { status, message } = errorMessages(error)
  return { status, body: { message, status } }
}

export const failureReply = (status: number, message: string, headers: Reply['headers'] = {}): Reply => ({
  kind: 'json',
  status,
  headers,
  value: { message, status },
})

const STORE_AWAY = 'The store is unavailable at the moment'
const FAULT = 'Internal server error'

export const failures: Failures & SocketFailures = {
  malformed: (detail) => failureReply(400, `Invalid JSON ${detail}`),
  invalid: ([first], operation) => failureReply(400, invalidMessage(first, bodyOf(operation))),
  tooLarge: (limit) => failureReply(413, `The request body is larger than ${limit} bytes`),
  methodNotAllowed: (method) => failureReply(405, `405: Method Not Allowed: ${method}`),
  unexpected: (error) =>
    StoreFailure.is(error) ? failureReply(503, STORE_AWAY, { 'retry-after': '1' }) : failureReply(500, FAULT),
  interrupted: (error) =>
    StoreFailure.is(error) ? { message: STORE_AWAY, status: 503 } : { message: FAULT, status: 500 },
}

const bodyOf = (operation: Pick<Operation, 'path'> & Pick<Partial<Operation>, 'body'>) => operation.body
