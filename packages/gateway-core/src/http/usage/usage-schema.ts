import * as v from 'valibot'
import { userIdSchema } from '../../accounts/account-bounds.ts'
import { keyIdSchema } from '../../api-keys/api-key-bounds.ts'
import { wholeTextWithin } from '../../bounds.ts'
import { MAX_SUMMARIES, usageGroupings } from '../../usage/usage-bounds.ts'
import type { SchemaOf } from '../fields.ts'

const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/

/** Parses a time, in UTC where it has no zone. @returns an invalid date for any other text */
function parseTime(text: string): Date {
  const [, day = '', time = '00:00', zone = 'Z'] = ISO_TIME.exec(text) ?? []
  // `Date` reads the 30th of February as the 2nd of March.
  const midnight = new Date(`${day}T00:00Z`)
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
  return new Date(isDay ? `${day}T${time}${zone}` : Number.NaN)
}

const timestamp = v.pipe(
  v.string(),
  v.transform(parseTime),
  v.check((timestamp) => !Number.isNaN(timestamp.getTime()), 'must be a date or a time in ISO 8601'),
)

const groupBy = v.pipe(
  v.string(),
  v.transform((text) => text.split(',')),
  v.array(v.picklist(usageGroupings, "must be one or more of 'key', 'model' and 'day', separated by commas")),
)

export const usageQuerySchema = v.strictObject({
  /** @default 30 days before `to` */
  from: v.exactOptional(timestamp),
  /** @default now */
  to: v.exactOptional(timestamp),
  group_by: v.exactOptional(groupBy, 'key,model,day'),
  /** For the admin. A key can name only itself. */
  key_id: v.exactOptional(keyIdSchema),
  /** For the admin: a user of the host. A user can name only itself. */
  user_id: v.exactOptional(userIdSchema),
  limit: v.exactOptional(wholeTextWithin(1, MAX_SUMMARIES), '1000'),
})

const usageList = v.object({
  object: v.literal('list'),
  from: v.string(),
  to: v.string(),
  data: v.array(
    v.object({
      key_id: v.exactOptional(v.nullable(v.string())),
      /** Present for the requests of a user of the host. */
      user_id: v.exactOptional(v.string()),
      model: v.exactOptional(v.string()),
      day: v.exactOptional(v.string()),
      requests: v.number(),
      failures: v.number(),
      partial: v.number(),
      input_tokens: v.number(),
      output_tokens: v.number(),
      images: v.number(),
    }),
  ),
  /** Whether there are more summaries than `limit`. */
  has_more: v.boolean(),
})

export interface UsageListSchema extends SchemaOf<typeof usageList> {}

export const usageListSchema: UsageListSchema = usageList
