import * as v from 'valibot'
import { messageErrorType } from '../../dialects/messages/message-error.ts'
import type { FailureBody, FailureStatus } from '../errors/failure.ts'

/** The form of all errors of messages, as in Anthropic's interface. */
const messageFailureSchema = v.pipe(
  v.object({
    type: v.literal('error'),
    error: v.object({ type: v.string(), message: v.string() }),
    request_id: v.nullable(v.string()),
  }),
  v.title('MessageFailure'),
)

export type MessageFailureBody = v.InferOutput<typeof messageFailureSchema>

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

/** Gives an error Anthropic's form. */
export const messageFailure = (
  { status, headers, body }: Omit<MessageFailure, 'body'> & { readonly body: FailureBody },
  requestId: string,
): MessageFailure => ({
  status,
  headers,
  body: messageFailureBody(status, body.error.message, requestId),
})

export const messageFailureBody = (status: number, message: string, requestId: string): MessageFailureBody => ({
  type: 'error',
  error: { type: messageErrorType(status), message },
  request_id: requestId === '' ? null : requestId,
})
