import { codes } from './error-codes.ts'
import type { Failure } from './failure.ts'

/** The failure of a request of a user who is not allowed to make it. */
export const notPermittedFailure: Failure = {
  status: 403,
  code: codes.notAuthorized,
  message: 'This user is not allowed to use this operation.',
}
