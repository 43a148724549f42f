import type { Failures, Operation, Reply } from '@trivium/http-contract'
import { getDotPath, safeParse } from 'valibot'

/** How an API words what an operation's schema finds wrong with a body. */
export function inputFailureOf(operation: Operation, body: unknown, { invalid }: Pick<Failures, 'invalid'>): Reply {
  if (!operation.body) throw new Error(`${operation.path} takes no body`)
  const { issues } = safeParse(operation.body, body)
  if (!issues) throw new Error(`${operation.path} takes ${JSON.stringify(body)}`)
  const [first, ...others] = issues.map((issue) => ({ part: 'body' as const, path: getDotPath(issue) ?? '', issue }))
  if (!first) throw new Error('valibot refuses without an issue')
  return invalid([first, ...others], operation)
}
