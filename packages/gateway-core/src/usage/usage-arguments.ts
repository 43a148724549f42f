import * as v from 'valibot'
import { accountSchema } from '../accounts/account-bounds.ts'
import { textWithin, wholeWithin } from '../bounds.ts'
import { callerSchema } from '../caller-argument.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import {
  MAX_END_USER_DAYS,
  MAX_SUMMARIES,
  MAX_TOP,
  usageGroupings,
  usageOperations,
  usageOrders,
} from './usage-bounds.ts'
import type { UsageReports } from './usage-reports.ts'
import type { UsageQuery } from './usage-repository.ts'

const time = v.pipe(
  v.date(),
  v.check((date) => !Number.isNaN(date.getTime()), 'must be a valid date'),
)

interface Period extends Pick<UsageQuery, 'from' | 'to' | 'groupBy'> {
  readonly endUser?: string | undefined
}

/** Sums have no end users, so each record is read. */
export const isShortEnough = ({ from, to, groupBy, endUser }: Period): boolean =>
  (endUser === undefined && !groupBy.includes('endUser')) ||
  to.getTime() - from.getTime() <= MAX_END_USER_DAYS * 86_400_000

/** Each tag of a record would be a group for each end user. */
export const isGroupable = (groupBy: UsageQuery['groupBy']): boolean =>
  !(groupBy.includes('endUser') && groupBy.includes('tag'))

const query = v.pipe(
  v.object({
    from: time,
    to: time,
    account: v.optional(accountSchema),
    groupBy: v.array(v.picklist(usageGroupings)),
    limit: wholeWithin(1, MAX_SUMMARIES + 1),
    top: v.optional(v.object({ count: wholeWithin(1, MAX_TOP), order: v.picklist(usageOrders) })),
    personId: v.optional(textWithin(128)),
    teamId: v.optional(textWithin(128)),
    tag: v.optional(textWithin(64)),
    model: v.optional(textWithin(512)),
    provider: v.optional(textWithin(128)),
    upstreamModel: v.optional(textWithin(512)),
    status: v.optional(wholeWithin(100, 599)),
    operation: v.optional(v.picklist(usageOperations)),
    endUser: v.optional(textWithin(256)),
  }),
  v.forward(
    v.check(({ from, to }) => from < to, "must be before 'to'"),
    ['from'],
  ),
  v.forward(
    v.check((period) => isShortEnough(period), `must be at most ${MAX_END_USER_DAYS} days before 'to' for end users`),
    ['from'],
  ),
  v.forward(
    v.check(({ groupBy }) => isGroupable(groupBy), "cannot have both 'endUser' and 'tag'"),
    ['groupBy'],
  ),
)

/** What the methods of {@link UsageReports} take. */
export const usageArguments: ArgumentSchemas<UsageReports> = {
  summarize: [callerSchema, query],
  namesOf: [v.pipe(v.array(v.looseObject({})), v.maxLength(MAX_SUMMARIES + 1))],
}
