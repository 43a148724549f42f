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
import { wholeTextWithin } from '../../bounds.ts'
import { maybe, type SchemaOf } from '../fields.ts'

const name = v.pipe(v.string(), v.trim(), keyNameSchema)

const newKey = v.strictObject({
  username: name,
  name: maybe(name),
  rate_limit: maybe(rateLimitSchema),
  expires_in_days: maybe(expiresInDaysSchema),
  tokens_per_minute: maybe(tokenLimitSchema),
  tokens_per_day: maybe(tokenLimitSchema),
})

export interface NewKeySchema extends SchemaOf<typeof newKey> {}

export const newKeySchema: NewKeySchema = newKey

const keyChange = v.strictObject({
  name: maybe(name),
  rate_limit: v.exactOptional(rateLimitSchema),
  tokens_per_minute: maybe(tokenLimitSchema),
  tokens_per_day: maybe(tokenLimitSchema),
})

export interface KeyChangeSchema extends SchemaOf<typeof keyChange> {}

/** A change of a key. Absent fields are kept. `null` removes a name or a budget. */
export const keyChangeSchema: KeyChangeSchema = keyChange

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

const issuedKey = v.object({ api_key: v.string(), ...keyFields })

export interface IssuedKeySchema extends SchemaOf<typeof issuedKey> {}

/** A created or rotated key. `api_key` is its secret. */
export const issuedKeySchema: IssuedKeySchema = v.pipe(issuedKey, v.title('IssuedApiKey'))

const key = v.object({
  ...keyFields,
  /** The secret's first characters. */
  hint: v.string(),
  revoked_at: optionalTime,
  usage_count: v.number(),
  last_used_at: optionalTime,
})

export interface KeySchema extends SchemaOf<typeof key> {}

export const keySchema: KeySchema = v.pipe(key, v.title('ApiKey'))

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
  limit: v.exactOptional(wholeTextWithin(1, MAX_LISTED_KEYS), '100'),
})

const validation = v.variant('valid', [
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

export interface ValidationSchema extends SchemaOf<typeof validation> {}

/** The result of a validation. The status is always 200. */
export const validationSchema: ValidationSchema = validation
