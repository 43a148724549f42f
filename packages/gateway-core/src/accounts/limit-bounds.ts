import * as v from 'valibot'
import { wholeWithin } from '../bounds.ts'
import { MAX_NANODOLLARS } from '../money/dollars.ts'

/** The least and the most requests in 60 seconds. */
export const rateLimitBounds = [1, 100_000] as const

/** Requests in 60 seconds. */
export const rateLimitSchema = wholeWithin(...rateLimitBounds)

/** Tokens in a minute or in a day. */
export const tokenLimitSchema = wholeWithin(1, Number.MAX_SAFE_INTEGER)

/** Requests that run at the same time. */
export const parallelSchema = wholeWithin(1, 100_000)

export const spendPeriods = ['day', 'month', 'total'] as const

const spend = v.strictObject({ most: wholeWithin(0, MAX_NANODOLLARS), period: v.picklist(spendPeriods) })

export const budgetSchema = v.strictObject({
  tokensPerMinute: v.optional(tokenLimitSchema),
  tokensPerDay: v.optional(tokenLimitSchema),
  spend: v.optional(spend),
  parallel: v.optional(parallelSchema),
})

/** Changes of a budget: `null` removes a limit. */
export const budgetChangesSchema = v.strictObject({
  tokensPerMinute: v.nullish(tokenLimitSchema),
  tokensPerDay: v.nullish(tokenLimitSchema),
  spend: v.nullish(
    v.pipe(
      v.strictObject({ most: v.optional(spend.entries.most), period: v.optional(v.picklist(spendPeriods)) }),
      v.check(({ most, period }) => most !== undefined || period !== undefined, "must have 'most' or 'period'"),
    ),
  ),
  parallel: v.nullish(parallelSchema),
})
