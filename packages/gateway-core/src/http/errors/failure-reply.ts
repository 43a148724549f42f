import type { Reply } from '@trivium/http-contract'
import type { Failure } from './failure.ts'

export const failureReply = ({ status, headers, body }: Failure): Reply => ({
  kind: 'json',
  status,
  headers,
  value: body,
})
