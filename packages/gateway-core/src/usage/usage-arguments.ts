import * as v from 'valibot'
import { accountSchema } from '../accounts/account-bounds.ts'
import { wholeWithin } from '../bounds.ts'
import { callerSchema } from '../caller-argument.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { MAX_SUMMARIES, usageGroupings } from './usage-bounds.ts'
import type { UsageReports } from './usage-reports.ts'

const time = v.pipe(
  v.date(),
  v.check((date) => !Number.isNaN(date.getTime()), 'must be a valid date'),
)

const query = v.pipe(
  v.object({
    from: time,
    to: time,
    account: v.optional(accountSchema),
    groupBy: v.array(v.picklist(usageGroupings)),
    limit: wholeWithin(1, MAX_SUMMARIES + 1),
  }),
  v.forward(
    v.check(({ from, to }) => from < to, "must be before 'to'"),
    ['from'],
  ),
)

/** What the methods of {@link UsageReports} take. */
export const usageArguments: ArgumentSchemas<UsageReports> = {
  summarize: [callerSchema, query],
}
