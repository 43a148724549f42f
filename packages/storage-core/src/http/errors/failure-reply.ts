import type { Reply } from '@trivium/http-contract'
import { type Failure, failureBody } from './failure.ts'

export const failureReply = (failure: Failure, headers: Readonly<Record<string, string>> = {}): Reply => ({
  kind: 'json',
  status: failure.status,
  headers: { 'content-type': 'application/hal+json', ...headers },
  value: failureBody(failure),
})
