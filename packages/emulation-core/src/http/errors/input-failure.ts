import { describeIssue, type InputIssue } from '@trivium/http-contract'
import type { GenericSchema } from 'valibot'
import { describeValue } from './describe-value.ts'
import { type Failure, failure } from './failure.ts'

/** Describes the first error of a request, with the name of its field. */
export function inputFailure({ part, path, issue }: InputIssue, body: GenericSchema | undefined): Failure {
  if (part === 'params') return failure(400, describeIssue(issue))
  const description = issueMessage(issue.type, issue.expected, describeIssue(issue), issue.input, path, body)
  const place = path === '' ? '' : ` in field '${path}'`
  return failure(
    400,
    part === 'body' ? `Invalid JSON: ${description}${place}` : `Invalid ${part}: ${description}${place}`,
  )
}

function issueMessage(
  type: string,
  expected: string | null,
  message: string,
  input: unknown,
  path: string,
  body: GenericSchema | undefined,
): string {
  if (type !== 'strict_object' && type !== 'object') return message
  const field = path.slice(path.lastIndexOf('.') + 1)
  if (expected === 'never') return `Additional properties are not allowed ('${field.slice(0, 100)}' was unexpected)`
  if (expected !== 'Object') return `'${field}' is a required property`
  const missing = input === undefined ? firstRequired(body) : undefined
  return missing === undefined
    ? `${describeValue(input)} is not of type 'object'`
    : `'${missing}' is a required property`
}

/** Finds the first required field, which a request without a body lacks. */
function firstRequired(body: GenericSchema | undefined): string | undefined {
  if (!body || !('entries' in body) || typeof body.entries !== 'object' || body.entries === null) return undefined
  return Object.entries(body.entries).find(([, schema]) => !/^(optional|nullish)$/.test(schema.type))?.[0]
}
