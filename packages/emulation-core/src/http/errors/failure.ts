import { asSentence, shortened } from '@trivium/http-contract'
import * as v from 'valibot'
import { whole } from '../requests/fields.ts'

/** The body of every error. */
export interface FailureBody {
  readonly message: string
  /** The HTTP status. */
  readonly status: number
}

// A named type: written out for every operation, the contract's type is too long to declare.
export interface FailureSchema extends v.GenericSchema<FailureBody> {}

const failureSchema: FailureSchema = v.pipe(
  v.object({ message: v.string(), status: whole }),
  v.title('EmulationFailure'),
)

/** The error responses that every operation can have. */
export const failureResponses = {
  400: failureSchema,
  401: failureSchema,
  403: failureSchema,
  404: failureSchema,
  405: failureSchema,
  409: failureSchema,
  413: failureSchema,
  429: failureSchema,
  500: failureSchema,
  503: failureSchema,
} as const

export type FailureStatus = keyof typeof failureResponses

/** An error response of a handler. */
export interface Failure {
  readonly status: FailureStatus
  readonly body: FailureBody
}

/** A message can repeat names of the request. */
const LONGEST_MESSAGE = 2000

/**
 * Creates an error response. The message has at most 2,000 characters and ends with a full stop, also one of an emulator
 * or of the host's files.
 */
export const failure = (status: FailureStatus, message: string): Failure => ({
  status,
  body: { message: shortened(asSentence(message), LONGEST_MESSAGE), status },
})
