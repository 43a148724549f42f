import type { Reply } from '@trivium/http-contract'
import type { Failure } from './failure.ts'

export const failureReply = ({ status, body }: Failure, headers: Reply['headers'] = {}): Reply => ({
  kind: 'json',
  status,
  headers,
  value: body,
})
