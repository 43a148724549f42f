import { shortened } from '@trivium/http-contract'
import * as v from 'valibot'
import { codes } from './error-codes.ts'

/** The body of every refusal. */
const failureSchema = v.pipe(
  v.object({
    error: v.object({
      message: v.string(),
      code: v.pipe(v.string(), v.description('A decimal number.')),
      target: v.optional(v.string()),
    }),
  }),
  v.title('StorageError'),
)

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

/** The status and error of a refused request, in the form of ONTAP. */
export interface Failure {
  readonly status: FailureStatus
  /** An error code of ONTAP, sent as a decimal text. */
  readonly code: number
  readonly message: string
  /** The dotted name of the wrong field. */
  readonly target?: string
}

export type FailureStatus = keyof typeof failureResponses

export interface FailureBody {
  readonly error: { readonly message: string; readonly code: string; readonly target?: string }
}

/** A message can repeat names of the request, which are as long as a body allows. */
const LONGEST_MESSAGE = 1000

/** Creates the body of an error: a message of at most 1,000 characters and a target of at most 300. */
export const failureBody = ({ code, message, target }: Omit<Failure, 'status'>): FailureBody => ({
  error: {
    message: shortened(message, LONGEST_MESSAGE),
    code: String(code),
    ...(target !== undefined && { target: shortened(target) }),
  },
})

export const failure = (
  status: FailureStatus,
  code: keyof typeof codes,
  message: string,
  target?: string,
): Failure => ({ status, code: codes[code], message, ...(target !== undefined && { target }) })
