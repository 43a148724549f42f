import * as v from 'valibot'
import { userIdSchema } from '../../accounts/account-bounds.ts'
import { keyIdSchema } from '../../api-keys/api-key-bounds.ts'
import { textWithin, wholeTextWithin } from '../../bounds.ts'
import { MAX_SUMMARIES, MAX_TOP, usageOperations, usageOrders } from '../../usage/usage-bounds.ts'
import type { UsageGrouping } from '../../usage/usage-repository.ts'
import type { SchemaOf } from '../fields.ts'
import { timeSchema } from '../times.ts'

/** The names of groupings in queries. */
const wireGroupings = {
  key: 'key',
  user: 'user',
  team: 'team',
  tag: 'tag',
  model: 'model',
  provider: 'provider',
  upstream_model: 'upstreamModel',
  status: 'status',
  operation: 'operation',
  end_user: 'endUser',
  hour: 'hour',
  day: 'day',
  month: 'month',
} as const satisfies Readonly<Record<string, UsageGrouping>>

type WireGrouping = keyof typeof wireGroupings

const isGrouping = (name: string): name is WireGrouping => Object.hasOwn(wireGroupings, name)

const groupBy = v.pipe(
  v.string(),
  v.maxLength(200, 'must have at most 200 characters'),
  v.transform((text) => text.split(',')),
  v.description(`One or more of these, separated by commas: ${Object.keys(wireGroupings).join(', ')}.`),
  v.array(
    v.pipe(
      v.custom<WireGrouping>(
        (name) => typeof name === 'string' && isGrouping(name),
        `must be one or more of ${Object.keys(wireGroupings).join(', ')}, separated by commas`,
      ),
      v.transform((name): UsageGrouping => wireGroupings[name]),
    ),
  ),
)

export const usageQuerySchema = v.strictObject({
  /** @default 30 days before `to` */
  from: v.exactOptional(timeSchema),
  /** @default now */
  to: v.exactOptional(timeSchema),
  group_by: v.exactOptional(groupBy, 'key,model,day'),
  /** For the admin. A key can name only itself. */
  key_id: v.exactOptional(keyIdSchema),
  /** For the admin: a user of the host. A user can name only itself. */
  user_id: v.exactOptional(userIdSchema),
  /** The gateway's own user of keys. */
  person_id: v.exactOptional(textWithin(128)),
  team_id: v.exactOptional(textWithin(128)),
  tag: v.exactOptional(textWithin(64)),
  model: v.exactOptional(textWithin(512)),
  provider: v.exactOptional(textWithin(128)),
  upstream_model: v.exactOptional(textWithin(512)),
  status: v.exactOptional(wholeTextWithin(100, 599)),
  operation: v.exactOptional(v.picklist(usageOperations)),
  end_user: v.exactOptional(textWithin(256)),
  /** The number of the largest summaries. One more has the sums of all others. */
  top: v.exactOptional(wholeTextWithin(1, MAX_TOP)),
  /** By what `top` selects. */
  order: v.exactOptional(v.picklist(usageOrders), 'cost'),
  format: v.exactOptional(v.picklist(['json', 'csv']), 'json'),
  /** @default 1000, or 10000 for CSV */
  limit: v.exactOptional(wholeTextWithin(1, MAX_SUMMARIES)),
})

const usageRow = v.object({
  /** Set for the sums of all groups that are not among the largest. */
  other: v.exactOptional(v.literal(true)),
  key_id: v.exactOptional(v.nullable(v.string())),
  /** Absent for a key without a name, and for one that was deleted. */
  key_name: v.exactOptional(v.string()),
  /** Of the key, or of the gateway's own user. Absent where they were deleted. */
  username: v.exactOptional(v.string()),
  /** Present for the requests of a user of the host. */
  user_id: v.exactOptional(v.string()),
  /** Present for the requests of a key, where grouped by user. */
  person_id: v.exactOptional(v.string()),
  team_id: v.exactOptional(v.nullable(v.string())),
  /** Absent for a team that was deleted. */
  team_name: v.exactOptional(v.string()),
  tag: v.exactOptional(v.nullable(v.string())),
  model: v.exactOptional(v.string()),
  provider: v.exactOptional(v.nullable(v.string())),
  upstream_model: v.exactOptional(v.nullable(v.string())),
  status: v.exactOptional(v.number()),
  operation: v.exactOptional(v.string()),
  end_user: v.exactOptional(v.nullable(v.string())),
  hour: v.exactOptional(v.string()),
  day: v.exactOptional(v.string()),
  month: v.exactOptional(v.string()),
  requests: v.number(),
  failures: v.number(),
  partial: v.number(),
  input_tokens: v.number(),
  output_tokens: v.number(),
  cached_tokens: v.number(),
  cache_write_tokens: v.number(),
  reasoning_tokens: v.number(),
  audio_tokens: v.number(),
  searches: v.number(),
  images: v.number(),
  /** US dollars, as a decimal. Requests without a known price count as 0. */
  cost: v.string(),
})

export interface UsageRowSchema extends SchemaOf<typeof usageRow> {}

export const usageRowSchema: UsageRowSchema = usageRow

const usageList = v.object({
  object: v.literal('list'),
  from: v.string(),
  to: v.string(),
  data: v.array(usageRowSchema),
  /** Whether there are more summaries than `limit`. */
  has_more: v.boolean(),
})

export interface UsageListSchema extends SchemaOf<typeof usageList> {}

export const usageListSchema: UsageListSchema = v.pipe(
  usageList,
  v.examples([
    {
      object: 'list',
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-04-01T00:00:00.000Z',
      data: [
        {
          team_id: 'aa2ab505-fb5c-4f37-b30e-fe417eaf7a9f',
          team_name: 'research',
          requests: 12,
          failures: 0,
          partial: 0,
          input_tokens: 5000,
          output_tokens: 120,
          cached_tokens: 0,
          cache_write_tokens: 0,
          reasoning_tokens: 0,
          audio_tokens: 0,
          searches: 0,
          images: 0,
          cost: '1.25',
        },
      ],
      has_more: false,
    },
  ]),
)
