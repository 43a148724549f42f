import type { Failures, Operation, Reply } from '@trivium/http-contract'
import { getDotPath, safeParse } from 'valibot'

/** How an API words what an operation's schema finds wrong with a body. */
export function inputFailureOf(operation: Operation, body: unknown, { invalid }: Pick<Failures, 'invalid'>): Reply {
  if (!operation.body) throw new Error(`${operation.path} takes no body`)
  const { issues } = safeParse(operation.body, body, { abortEarly: true })
  if (!issues) throw new Error(`${operation.path} takes ${JSON.stringify(body)}`)
  const [issue] = issues
  return invalid({ part: 'body', path: getDotPath(issue) ?? '', issue }, operation)
}
