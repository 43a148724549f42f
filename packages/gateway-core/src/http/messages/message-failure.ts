import * as v from 'valibot'
import type { JsonObject } from '../../dialects/dialect.ts'
import { messageErrorType, wordsNaming } from '../../dialects/messages/message-error.ts'
import type { FailureBody, FailureStatus } from '../errors/failure.ts'

/** The form of all errors of messages, as in Anthropic's interface. */
export interface MessageFailureBody {
  readonly type: 'error'
  readonly error: { readonly type: string; readonly message: string; readonly details?: JsonObject | undefined }
  readonly request_id: string | null
}

// A named type, as that of other failures.
export interface MessageFailureSchema extends v.GenericSchema<MessageFailureBody> {}

const messageFailureSchema: MessageFailureSchema = v.pipe(
  v.object({
    type: v.literal('error'),
    error: v.object({ type: v.string(), message: v.string(), details: v.optional(v.looseObject({})) }),
    request_id: v.nullable(v.string()),
  }),
  v.title('MessageFailure'),
)

/** The error responses of all operations of messages. */
export const messageFailureResponses = {
  400: messageFailureSchema,
  401: messageFailureSchema,
  403: messageFailureSchema,
  404: messageFailureSchema,
  405: messageFailureSchema,
  408: messageFailureSchema,
  409: messageFailureSchema,
  413: messageFailureSchema,
  422: messageFailureSchema,
  429: messageFailureSchema,
  500: messageFailureSchema,
  502: messageFailureSchema,
  503: messageFailureSchema,
  504: messageFailureSchema,
  529: messageFailureSchema,
} as const

/** An error response of a handler of messages. */
export interface MessageFailure {
  readonly status: FailureStatus | 529
  readonly headers: Readonly<Record<string, string>>
  readonly body: MessageFailureBody
}

/** An error that has not got Anthropic's form. */
export interface UnformedFailure extends Omit<MessageFailure, 'body'> {
  readonly body: FailureBody
  /** What its clients read of `error.details`. */
  readonly details?: JsonObject | undefined
}

/** Gives an error Anthropic's form. */
export function messageFailure({ status, headers, body, details }: UnformedFailure, requestId: string): MessageFailure {
  const { code } = body.error
  const formed = messageFailureBody(status, { message: wordsNaming(body.error), code }, requestId)
  return {
    status,
    headers: { ...headers, ...codeHeader(code) },
    body: details ? { ...formed, error: { ...formed.error, details } } : formed,
  }
}

/** @param code that of OpenAI's form, for which Anthropic's has no place */
export const messageFailureBody = (
  status: number,
  { message, code }: { readonly message: string; readonly code: unknown },
  requestId: string,
): MessageFailureBody => ({
  type: 'error',
  error: { type: code === 'budget_exceeded' ? 'billing_error' : messageErrorType(status), message },
  request_id: requestId === '' ? null : requestId,
})

/** Returns the header with the code of an error. Codes of upstreams may be any text. */
export const codeHeader = (code: unknown): Readonly<Record<string, string>> =>
  typeof code === 'string' && /^[\w.:-]{1,64}$/.test(code) ? { 'x-trivium-error-code': code } : {}
