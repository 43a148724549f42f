import { asSentence, describeRequirement, type InputIssue } from '@trivium/http-contract'
import { getDotPath } from 'valibot'
import { codes } from './error-codes.ts'
import type { Failure } from './failure.ts'

/** Schema checks that have an error code of their own. */
const codesOfChecks = new Map<unknown, number>()

/** Gives a Valibot check its own error code and message. */
export function checkWithCode<Check extends (value: never) => boolean>(code: number, check: Check): Check {
  codesOfChecks.set(check, code)
  return check
}

/** Returns the failure of an input that a schema refuses. `known` has the members of the endpoint's records. */
export function inputFailure({ path, issue, part }: InputIssue, known: ReadonlySet<string>, isInside = false): Failure {
  // When no form of a union matches, the issue inside one of them is more precise.
  const inside = issue.issues?.find((one) => one.path)
  if (inside) return inputFailure({ part, issue: inside, path: `${path}.${getDotPath(inside) ?? ''}` }, known, true)
  const target = path === '' ? {} : { target: path }
  const refuse = (code: number, message: string): Failure => ({ status: 400, code, message, ...target })
  const code = codesOfChecks.get(issue.requirement)
  if (code !== undefined) return refuse(code, issue.message)
  if (part === 'body' && !isInside && (path === '' || Array.isArray(issue.path?.[0]?.input))) {
    return { status: 400, code: codes.missingValue, message: 'The request needs a body that is a JSON object.' }
  }
  if (issue.expected === 'never' && Array.isArray(issue.path?.at(-1)?.input)) {
    const name = path.slice(0, path.lastIndexOf('.'))
    return { ...refuse(codes.unexpectedArray, arrayMessage(name)), target: name }
  }
  if (issue.expected === 'never') {
    return known.has(path)
      ? refuse(codes.fieldNotSettable, `Field "${path}" cannot be set in this operation.`)
      : refuse(codes.unexpectedArgument, `Unexpected argument "${path}".`)
  }
  if (issue.received === 'undefined') return refuse(codes.missingValue, `Missing value for field "${path}".`)
  if (issue.received === 'Array' && issue.expected !== 'Array') {
    return refuse(codes.unexpectedArray, arrayMessage(path))
  }
  // Valibot names objects without a prototype, such as unfolded bodies, `null`.
  const isObject = issue.received === 'null' && issue.input !== null
  const received = isObject ? 'An object' : issue.received
  const allowed = describeRequirement(issue)
  return refuse(codes.invalidValue, asSentence(`${received} is an invalid value for field "${path}": ${allowed}`))
}

const arrayMessage = (path: string): string => `An array was found for field "${path}", where one value is expected.`
