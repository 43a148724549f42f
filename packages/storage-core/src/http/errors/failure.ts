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

export const failureBody = ({ code, message, target }: Omit<Failure, 'status'>): FailureBody => ({
  error: { message, code: String(code), ...(target !== undefined && { target }) },
})

export const failure = (
  status: FailureStatus,
  code: keyof typeof codes,
  message: string,
  target?: string,
): Failure => ({ status, code: codes[code], message, ...(target !== undefined && { target }) })
