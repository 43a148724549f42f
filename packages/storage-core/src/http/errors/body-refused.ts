import { codes } from './error-codes.ts'
import { failureReply } from './failure-reply.ts'

/** The answer to a body on an operation without one. */
export const bodyRefused = failureReply({
  status: 400,
  code: codes.bodyNotAllowed,
  message: 'A request body is not allowed on GET, HEAD and DELETE.',
})
