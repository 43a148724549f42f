import * as v from 'valibot'
import { accountSchema } from '../accounts/account-bounds.ts'
import { textWithin, wholeWithin } from '../bounds.ts'
import { callerSchema } from '../caller-argument.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { usageOperations } from '../usage/usage-bounds.ts'
import { refusalStatus } from './refusal-status.ts'
import type { RequestLog } from './request-log.ts'
import { MAX_LOGGED_PAGE, MAX_SEARCHED_TEXT, statusClasses } from './request-log-bounds.ts'

const time = v.pipe(
  v.date(),
  v.check((date) => !Number.isNaN(date.getTime()), 'must be a valid date'),
)

const id = textWithin(64)

const query = v.object({
  from: time,
  to: time,
  account: v.optional(accountSchema),
  personId: v.optional(textWithin(128)),
  teamId: v.optional(textWithin(128)),
  tag: v.optional(textWithin(64)),
  model: v.optional(textWithin(512)),
  provider: v.optional(textWithin(128)),
  status: v.optional(v.union([wholeWithin(100, 599), v.picklist(statusClasses)])),
  operation: v.optional(v.picklist(usageOperations)),
  text: v.optional(textWithin(MAX_SEARCHED_TEXT)),
  after: v.optional(v.object({ at: time, id })),
  limit: wholeWithin(1, MAX_LOGGED_PAGE),
})

const refused = v.object({
  operation: v.picklist(usageOperations),
  model: v.optional(textWithin(512)),
  streamed: v.optional(v.boolean()),
})

const refusalType = v.picklist(Object.keys(refusalStatus))

/** What the methods of {@link RequestLog} take. */
export const requestLogArguments: ArgumentSchemas<RequestLog> = {
  list: [query],
  find: [id],
  refused: [v.object({ requestId: textWithin(256), caller: callerSchema }), refused, v.object({ type: refusalType })],
}
