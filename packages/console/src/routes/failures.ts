import { describeIssue, type Failures, type Refusal, type Reply } from '@trivium/http-contract'

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

/** What a request that is not the admin's gets. */
export const refusalReply = ({ retryAfterSeconds }: Partial<Refusal>): Reply =>
  retryAfterSeconds === undefined
    ? unauthorized
    : failureReply(429, 'Too many wrong passwords came from this address. Wait, and try again.', {
        'retry-after': String(retryAfterSeconds),
      })

export const failures: Failures = {
  malformed: (detail) => failureReply(400, detail),
  invalid: ({ path, issue }) => failureReply(400, `Invalid '${path}': ${describeIssue(issue)}.`),
  tooLarge: (limit) => failureReply(413, `A body has at most ${limit} bytes`),
  methodNotAllowed: (method, allow) => failureReply(405, `${method} is not supported here; use ${allow}`),
  unexpected: () => failureReply(500, 'Something went wrong in the console'),
  interrupted: () => ({ error: { message: 'The stream was cut' } }),
}
