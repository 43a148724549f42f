import * as v from 'valibot'
import { rateLimitSchema } from '../../accounts/limit-bounds.ts'
import {
  expiresInDaysSchema,
  keyIdSchema,
  keyNameSchema,
  MAX_LISTED_KEYS,
  usernameQuerySchema,
} from '../../api-keys/api-key-bounds.ts'
import { normalName, wholeTextWithin } from '../../bounds.ts'
import { groupIdSchema } from '../../groups/group-bounds.ts'
import { maybe, type SchemaOf } from '../fields.ts'
import {
  exampleTerms,
  exampleUse,
  hasAmountForPeriod,
  reportedTermsEntries,
  reportedUseEntries,
  termsEntries,
} from '../terms/terms-schema.ts'
import { timeSchema } from '../times.ts'

const name = v.pipe(v.string(), v.trim(), keyNameSchema)

const newKey = v.pipe(
  v.strictObject({
    ...termsEntries,
    /** Required without `user_id`. */
    username: v.exactOptional(normalName(128)),
    /** A user of `/v1/users`, whose username the key gets. */
    user_id: maybe(groupIdSchema),
    name: maybe(name),
    team_id: maybe(groupIdSchema),
    expires_in_days: maybe(expiresInDaysSchema),
    expires_at: maybe(timeSchema),
  }),
  hasAmountForPeriod(),
  v.forward(
    v.partialCheck(
      [['username'], ['user_id']],
      ({ username, user_id }) => username !== undefined || (user_id ?? null) !== null,
      'is missing',
    ),
    ['username'],
  ),
  v.forward(
    v.partialCheck(
      [['expires_at'], ['expires_in_days']],
      ({ expires_at, expires_in_days }) => (expires_at ?? null) === null || (expires_in_days ?? null) === null,
      "cannot be combined with 'expires_in_days'",
    ),
    ['expires_at'],
  ),
)

export interface NewKeySchema extends SchemaOf<typeof newKey> {}

export const newKeySchema: NewKeySchema = v.pipe(
  newKey,
  v.examples([{ username: 'ada', name: 'notebook', max_budget: '25', budget_period: 'month', models: ['gpt-5*'] }]),
)

const keyChange = v.pipe(
  v.strictObject({
    ...termsEntries,
    name: maybe(name),
    rate_limit: v.exactOptional(rateLimitSchema),
    team_id: maybe(groupIdSchema),
    expires_at: maybe(timeSchema),
  }),
  hasAmountForPeriod({ isChange: true }),
)

export interface KeyChangeSchema extends SchemaOf<typeof keyChange> {}

/** A change of a key. Absent fields are kept. `null` removes one. */
export const keyChangeSchema: KeyChangeSchema = v.pipe(
  keyChange,
  v.examples([{ max_budget: '50', denied_models: ['o1-pro'] }, { disabled: true }]),
)

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
  team_id: v.nullable(v.string()),
  ...reportedTermsEntries,
}

const exampleKey = {
  key_id: '0c9bf5b6-5f3b-4d1c-9f0e-3f8a4c1d2e5f',
  user_id: '039226d6-71fd-8075-bd30-4ff61921b6b7',
  username: 'ada',
  name: 'notebook',
  created_at: '2026-03-01T09:00:00.000Z',
  expires_at: null,
  rate_limit: 60,
  team_id: null,
  ...exampleTerms,
}

const exampleOrigin = { hint: 'tvm_AbCd', revoked_at: null, usage_count: 12, last_used_at: '2026-03-02T10:00:00.000Z' }

const issuedKey = v.object({ api_key: v.string(), ...keyFields })

export interface IssuedKeySchema extends SchemaOf<typeof issuedKey> {}

/** A created or rotated key. `api_key` is its secret. */
export const issuedKeySchema: IssuedKeySchema = v.pipe(
  issuedKey,
  v.title('IssuedApiKey'),
  v.examples([{ api_key: 'tvm_YOUR_KEY', ...exampleKey }]),
)

const key = v.object({
  ...keyFields,
  /** The secret's first characters. */
  hint: v.string(),
  revoked_at: optionalTime,
  usage_count: v.number(),
  last_used_at: optionalTime,
})

export interface KeySchema extends SchemaOf<typeof key> {}

export const keySchema: KeySchema = v.pipe(key, v.title('ApiKey'), v.examples([{ ...exampleKey, ...exampleOrigin }]))

const keyState = v.object({ ...key.entries, ...reportedUseEntries })

export interface KeyStateSchema extends SchemaOf<typeof keyState> {}

/** A key with what it has used. */
export const keyStateSchema: KeyStateSchema = v.pipe(
  keyState,
  v.title('ApiKeyState'),
  v.examples([{ ...exampleKey, ...exampleOrigin, ...exampleUse }]),
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
  team_id: v.exactOptional(groupIdSchema),
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
    ...reportedUseEntries,
    error: v.null(),
  }),
])

export interface ValidationSchema extends SchemaOf<typeof validation> {}

/** The result of a validation. The status is always 200. */
export const validationSchema: ValidationSchema = validation
