import type { Handlers } from '@trivium/http-contract'
import type { Caller } from '../access/caller.ts'
import { listRecords } from '../collections/list-records.ts'
import type { HandlerOptions } from '../handler-options.ts'
import type { noticeOperations } from './notice-operations.ts'
import { noticeSource } from './notice-records.ts'

export function noticeHandlers({ storage }: HandlerOptions): Handlers<typeof noticeOperations, Caller> {
  const source = noticeSource(storage)
  return { listNotices: (call) => listRecords(call, source) }
}
