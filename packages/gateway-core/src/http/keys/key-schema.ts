import * as v from 'valibot'
import {
  expiresInDaysSchema,
  keyIdSchema,
  keyNameSchema,
  MAX_LISTED_KEYS,
  rateLimitSchema,
  tokenLimitSchema,
  usernameQuerySchema,
} from '../../api-keys/api-key-bounds.ts'
import { maybe } from '../fields.ts'

const name = v.pipe(v.string(), v.trim(), keyNameSchema)

export const newKeySchema = v.strictObject({
  username: name,
  name: maybe(name),
  rate_limit: maybe(rateLimitSchema),
  expires_in_days: maybe(expiresInDaysSchema),
  tokens_per_minute: maybe(tokenLimitSchema),
  tokens_per_day: maybe(tokenLimitSchema),
})

/** A change of a key. Absent fields are kept. `null` removes a name or a budget. */
export const keyChangeSchema = v.strictObject({
  name: maybe(name),
  rate_limit: v.exactOptional(rateLimitSchema),
  tokens_per_minute: maybe(tokenLimitSchema),
  tokens_per_day: maybe(tokenLimitSchema),
})

export const keyParamsSchema = v.object({ key_id: keyIdSchema })

const optionalTime = v.nullable(v.string())

const keyFields = {
  key_id: v.string(),
  user_id: v.string(),
  username: v.string(),
  name: v.nullable(v.string()),
  created_at: v.string(),
  expires_at: optionalTime,
  rate_limit: v.number(),
  tokens_per_minute: v.nullable(v.number()),
  tokens_per_day: v.nullable(v.number()),
}

/** A created or rotated key. `api_key` is its secret. */
export const issuedKeySchema = v.pipe(v.object({ api_key: v.string(), ...keyFields }), v.title('IssuedApiKey'))

export const keySchema = v.pipe(
  v.object({
    ...keyFields,
    /** The secret's first characters. */
    hint: v.string(),
    revoked_at: optionalTime,
    usage_count: v.number(),
    last_used_at: optionalTime,
  }),
  v.title('ApiKey'),
)

export const keyListSchema = v.object({
  object: v.literal('list'),
  data: v.array(keySchema),
  has_more: v.boolean(),
  /** The value of `after` for the next page. */
  last_id: v.nullable(v.string()),
})

export const keyListQuerySchema = v.strictObject({
  username: v.exactOptional(usernameQuerySchema),
  after: v.exactOptional(keyIdSchema),
  limit: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,4}$/, 'must be a whole number'),
      v.transform(Number),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(MAX_LISTED_KEYS, `must be at most ${MAX_LISTED_KEYS}`),
    ),
    '100',
  ),
})

/** The result of a validation. The status is always 200. */
export const validationSchema = v.variant('valid', [
  v.object({ valid: v.literal(false), error: v.string() }),
  v.object({
    valid: v.literal(true),
    ...keyFields,
    usage_count: v.number(),
    last_used_at: optionalTime,
    remaining: v.number(),
    reset_at: v.string(),
    tokens_used_minute: v.number(),
    tokens_used_day: v.number(),
    error: v.null(),
  }),
])
