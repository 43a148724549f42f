import type { Failures, Operation, Reply } from '@trivium/http-contract'
import { getDotPath, safeParse } from 'valibot'

/** Returns the reply of an API to a body that the schema of the operation refuses. @throws where the schema accepts it */
export function inputFailureOf(operation: Operation, body: unknown, { invalid }: Pick<Failures, 'invalid'>): Reply {
  if (!operation.body) throw new Error(`${operation.path} has no body`)
  const { issues } = safeParse(operation.body, body, { abortEarly: true })
  if (!issues) throw new Error(`${operation.path} accepts ${JSON.stringify(body)}`)
  const [issue] = issues
  return invalid({ part: 'body', path: getDotPath(issue) ?? '', issue }, operation)
}
