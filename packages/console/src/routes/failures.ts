import {
  asSentence,
  describeIssue,
  type Failures,
  type HostRefusal,
  type Refusal,
  type Reply,
} from '@trivium/http-contract'

/** A reply with a message in the shape of every error of the console. */
export const failureReply = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply => ({
  kind: 'json',
  status,
  headers,
  value: { error: { message } },
})

const unauthorized = failureReply(401, 'This is not the admin password.', {
  'www-authenticate': 'Basic realm="Trivium", charset="UTF-8"',
})

const notPermitted = failureReply(403, 'This user is not allowed to see what the host reports.')

/**
 * The reply to a request that is not admitted: that of the host's rule, 403 for a user, 429 while the address has to
 * wait, otherwise 401.
 */
export function refusalReply({ retryAfterSeconds, user }: Partial<Refusal>, answer?: HostRefusal): Reply {
  if (answer) return failureReply(answer.status, answer.message)
  if (user !== undefined) return notPermitted
  return retryAfterSeconds === undefined
    ? unauthorized
    : failureReply(429, 'Too many wrong passwords came from this address. Wait, and try again.', {
        'retry-after': String(retryAfterSeconds),
      })
}

/** How the console answers the failures that the contract detects. */
export const failures: Failures = {
  malformed: (detail) => failureReply(400, asSentence(`The body is not valid JSON: ${detail}`)),
  invalid: ({ path, issue }) => failureReply(400, asSentence(`Invalid '${path}': ${describeIssue(issue)}`)),
  tooLarge: (limit) => failureReply(413, `A request body has at most ${limit} bytes.`),
  methodNotAllowed: (method, allow) => failureReply(405, `This path does not support ${method}. Use ${allow}.`),
  unexpected: () => failureReply(500, 'The request failed in the console. The log of the host has the reason.'),
  interrupted: () => ({ error: { message: 'The stream failed in the console. The log of the host has the reason.' } }),
}
