import * as v from 'valibot'
import { parallelSchema, rateLimitSchema, spendPeriods, tokenLimitSchema } from '../../accounts/limit-bounds.ts'
import { decimalOf, formatDollars, MAX_NANODOLLARS, parseDollars } from '../../money/dollars.ts'
import { metadataSchema, policyEntries, tagsSchema } from '../../policies/policy-bounds.ts'
import { ownRules } from '../access/own-rules.ts'
import { maybe } from '../fields.ts'

const DECIMAL = /^\d+(\.\d{1,9})?$/

const NO_DECIMAL = "must be an amount of US dollars such as '25' or '0.50', with at most 9 decimals"

const MOST_DOLLARS = formatDollars(MAX_NANODOLLARS)

/** An amount as a decimal of at most 9 places, up to about 9 million. */
const dollars = v.pipe(
  v.union([
    v.pipe(v.string(), v.maxLength(64, 'must have at most 64 characters'), v.regex(DECIMAL, NO_DECIMAL)),
    v.pipe(v.number(), v.minValue(0, 'must be at least 0')),
  ]),
  v.check((amount) => isTooLarge(amount) || DECIMAL.test(decimalOf(amount)), NO_DECIMAL),
  v.check((amount) => parseDollars(amount) !== undefined, `must be at most ${MOST_DOLLARS}`),
  v.description(`US dollars, as a decimal with at most 9 decimals or a number, from 0 to ${MOST_DOLLARS}.`),
)

/** Large numbers have an exponent too. */
const isTooLarge = (amount: string | number): boolean => Number(amount) * 1e-9 > MAX_NANODOLLARS * 1e-18

const keyOperations: ReadonlySet<string> = new Set(
  Object.entries(ownRules).flatMap(([id, rule]) => (rule === 'key' ? [id] : [])),
)

const endpoints = v.pipe(
  policyEntries.endpoints,
  v.check(
    (ids) => ids.every((id) => keyOperations.has(id)),
    `must be ids of operations that keys can use: ${[...keyOperations].join(', ')}`,
  ),
)

/** The limits, the policy and the labels of a key, a team or a user. `null` means that a field is absent. */
export const termsEntries = {
  rate_limit: maybe(rateLimitSchema),
  tokens_per_minute: maybe(tokenLimitSchema),
  tokens_per_day: maybe(tokenLimitSchema),
  max_budget: maybe(dollars),
  budget_period: maybe(v.picklist(spendPeriods)),
  max_parallel_requests: maybe(parallelSchema),
  models: maybe(policyEntries.models),
  denied_models: maybe(policyEntries.deniedModels),
  endpoints: maybe(endpoints),
  ip_ranges: maybe(policyEntries.ipRanges),
  disabled: maybe(v.boolean()),
  tags: maybe(tagsSchema),
  metadata: maybe(metadataSchema),
}

/** How they are reported. A limit or a rule is `null` where it is absent. */
export const reportedTermsEntries = {
  tokens_per_minute: v.nullable(v.number()),
  tokens_per_day: v.nullable(v.number()),
  /** US dollars, as a decimal. */
  max_budget: v.nullable(v.string()),
  budget_period: v.nullable(v.picklist(spendPeriods)),
  max_parallel_requests: v.nullable(v.number()),
  models: v.nullable(v.array(v.string())),
  denied_models: v.nullable(v.array(v.string())),
  endpoints: v.nullable(v.array(v.string())),
  ip_ranges: v.nullable(v.array(v.string())),
  disabled: v.boolean(),
  tags: v.array(v.string()),
  metadata: v.record(v.string(), v.string()),
}

/** What was used, and what is left. */
export const reportedUseEntries = {
  tokens_used_minute: v.number(),
  tokens_used_day: v.number(),
  /** US dollars in the period of `max_budget`, or in all without one, as a decimal. */
  spent: v.string(),
  /** What is neither spent nor reserved by running requests, in US dollars. `null` without a `max_budget`. */
  remaining_budget: v.nullable(v.string()),
  /** The requests that run now, where a limit counts them. */
  running_requests: v.number(),
}

/** Terms as they are reported, for examples in the OpenAPI document. */
export const exampleTerms = {
  tokens_per_minute: null,
  tokens_per_day: null,
  max_budget: '25',
  budget_period: 'month' as const,
  max_parallel_requests: null,
  models: ['gpt-5*'],
  denied_models: null,
  endpoints: null,
  ip_ranges: null,
  disabled: false,
  tags: ['research'],
  metadata: {},
}

/** What was used, for examples in the OpenAPI document. */
export const exampleUse = {
  tokens_used_minute: 0,
  tokens_used_day: 5120,
  spent: '1.25',
  remaining_budget: '23.75',
  running_requests: 0,
}

interface AmountOfPeriod {
  readonly max_budget?: string | number | null
  readonly budget_period?: string | null
}

/**
 * Refuses a period without an amount.
 *
 * @param isChange whether an amount that is stored can have the period
 */
export const hasAmountForPeriod = <Terms extends AmountOfPeriod>({ isChange = false } = {}) =>
  v.rawCheck<Terms>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const { max_budget, budget_period } = dataset.value
    if ((budget_period ?? null) === null || (max_budget ?? null) !== null) return
    if (isChange && max_budget === undefined) return
    addIssue({
      message: isChange ? "cannot be set while 'max_budget' is removed" : "needs an amount in 'max_budget'",
      path: [
        {
          type: 'object',
          origin: 'value',
          input: entriesOf(dataset.value),
          key: 'budget_period',
          value: budget_period,
        },
      ],
    })
  })

const entriesOf = (value: object): Record<string, unknown> => Object.fromEntries(Object.entries(value))
