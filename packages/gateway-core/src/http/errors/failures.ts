import type { Failures, InputIssue, Reply } from '@trivium/http-contract'
import { StoreFailure } from '../../store-failure.ts'
import { type FailureAnswer, failure } from './failure-schema.ts'

/** How the gateway words what no handler answers. */
export const failures: Failures = {
  malformed: (detail) => replyOf(failure(400, `We could not parse the JSON body of your request: ${detail}`)),
  invalid: ([issue]) => replyOf(invalid(issue)),
  tooLarge: (limit) =>
    replyOf(failure(413, `The request body is larger than ${limit} bytes.`, { code: 'request_too_large' })),
  methodNotAllowed: (method, allow) =>
    replyOf(failure(405, `${method} is not allowed here. Use ${allow}.`, { code: 'method_not_allowed' })),
  unexpected: (error) => replyOf(fault(error)),
  interrupted: (error) => fault(error).body,
}

export const replyOf = ({ status, headers, body }: FailureAnswer): Reply => ({
  kind: 'json',
  status,
  headers,
  value: body,
})

function fault(error: unknown): FailureAnswer {
  if (StoreFailure.is(error)) {
    const message = 'The store of this gateway is unavailable at the moment.'
    return failure(503, message, { type: 'server_error', code: 'store_unavailable', retryAfterSeconds: 1 })
  }
  return failure(500, 'The gateway had an error while processing your request.', { type: 'server_error' })
}

function invalid({ part, path, issue }: InputIssue): FailureAnswer {
  const param = part === 'headers' ? null : bracketed(path) || (part === 'body' ? null : part)
  const missing = issue.kind === 'schema' && issue.received === 'undefined'
  if (missing) {
    const message = param === null ? 'The request needs a JSON body.' : `Missing required parameter '${param}'.`
    return failure(400, message, { param, code: 'missing_required_parameter' })
  }
  const code = issue.kind === 'schema' && !isForeignChoice(issue) ? 'invalid_type' : 'invalid_value'
  return failure(400, `Invalid ${param === null ? 'request body' : `'${param}'`}: ${issue.message}.`, { param, code })
}

/** One text where some others are expected: the type is right, the value is not. */
const isForeignChoice = ({ expected, received }: InputIssue['issue']): boolean =>
  received.startsWith('"') && expected?.includes('"') === true

/** `messages.0.content` as people write it: `messages[0].content`. */
const bracketed = (path: string): string => path.replace(/\.(\d+)(?=\.|$)/g, '[$1]')
