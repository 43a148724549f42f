import { codes } from './error-codes.ts'
import { failureReply } from './failure-reply.ts'

/** What is answered to a body where the operation takes none. */
export const bodyRefused = failureReply({
  status: 400,
  code: codes.bodyNotAllowed,
  message: 'A request body is not allowed on GET, HEAD and DELETE.',
})
