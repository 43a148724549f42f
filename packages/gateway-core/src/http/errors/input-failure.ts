import { asSentence, describeIssue, type InputIssue } from '@trivium/http-contract'
import { type Failure, failure } from './failure.ts'

/** Translates the first issue of a request, and names its parameter. */
export function inputFailure({ part, path, issue }: InputIssue): Failure {
  const param = part === 'headers' ? null : bracketed(path) || (part === 'body' ? null : part)
  if (issue.expected === 'never') {
    return failure(400, `Unknown parameter '${param}'.`, { param, code: 'unknown_parameter' })
  }
  const missing = issue.kind === 'schema' && issue.received === 'undefined'
  if (missing) {
    const message = param === null ? 'The request needs a JSON body.' : `Missing required parameter '${param}'.`
    return failure(400, message, { param, code: 'missing_required_parameter' })
  }
  const code = issue.kind === 'schema' && !isDisallowedValue(issue) ? 'invalid_type' : 'invalid_value'
  const place = param === null ? 'request body' : `'${param}'`
  return failure(400, asSentence(`Invalid ${place}: ${describeIssue(issue)}`), { param, code })
}

/** Returns whether the issue is a text that is not one of the allowed values: its type is right. */
const isDisallowedValue = ({ expected, received }: InputIssue['issue']): boolean =>
  received.startsWith('"') && expected?.includes('"') === true

/** Writes `messages.0.content` as `messages[0].content`. */
const bracketed = (path: string): string => path.replace(/\.(\d+)(?=\.|$)/g, '[$1]')
