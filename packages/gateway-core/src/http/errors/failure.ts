import { shortened } from '@trivium/http-contract'
import * as v from 'valibot'

/** The form of all errors of the gateway, as in OpenAI's interface. */
export interface FailureBody {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly param: string | null
    readonly code: string | null
  }
}

// A named type: written out for every operation, the contract's declaration is too long.
export interface FailureSchema extends v.GenericSchema<FailureBody> {}

const failureSchema: FailureSchema = v.pipe(
  v.object({
    error: v.object({
      message: v.string(),
      type: v.string(),
      param: v.nullable(v.string()),
      code: v.nullable(v.string()),
    }),
  }),
  v.title('Failure'),
)

/** The error responses of all operations. */
export const failureResponses = {
  400: failureSchema,
  401: failureSchema,
  403: failureSchema,
  404: failureSchema,
  405: failureSchema,
  408: failureSchema,
  409: failureSchema,
  413: failureSchema,
  422: failureSchema,
  429: failureSchema,
  500: failureSchema,
  502: failureSchema,
  503: failureSchema,
  504: failureSchema,
} as const

export type FailureStatus = keyof typeof failureResponses

/** An error response of a handler. */
export interface Failure {
  readonly status: FailureStatus
  readonly headers: Readonly<Record<string, string>>
  readonly body: FailureBody
}

export interface FailureDetails {
  /** @default 'invalid_request_error' */
  readonly type?: string
  /** @default null */
  readonly param?: string | null
  /** @default null */
  readonly code?: string | null
  /** Seconds, which are rounded up to a whole number of at least 1. */
  readonly retryAfterSeconds?: number | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** A message can repeat names of the request or the answer of an upstream. */
const LONGEST_MESSAGE = 4000

/** Creates an error response with a message of at most 4,000 characters. */
export function failure(status: FailureStatus, message: string, details: FailureDetails = {}): Failure {
  const { type = 'invalid_request_error', code = null, retryAfterSeconds, headers } = details
  const param = typeof details.param === 'string' ? shortened(details.param) : null
  const retry =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) }
  return {
    status,
    headers: { ...retry, ...headers },
    body: { error: { message: shortened(message, LONGEST_MESSAGE), type, param, code } },
  }
}

/** The failure of a list that shall continue after an item that does not exist, so that its end is not mistaken for that of the list. */
export const unknownCursor = (after: string): Failure =>
  failure(400, `Invalid 'after': there is no '${shortened(after)}', or it was deleted. List from the start again.`, {
    param: 'after',
    code: 'invalid_value',
  })
