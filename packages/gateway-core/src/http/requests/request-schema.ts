import * as v from 'valibot'
import { userIdSchema } from '../../accounts/account-bounds.ts'
import { keyIdSchema } from '../../api-keys/api-key-bounds.ts'
import { textWithin, wholeTextWithin } from '../../bounds.ts'
import {
  MAX_LOGGED_PAGE,
  MAX_SEARCHED_TEXT,
  type StatusClass,
  statusClasses,
} from '../../request-log/request-log-bounds.ts'
import type { LogPlace } from '../../request-log/request-log-repository.ts'
import { usageOperations } from '../../usage/usage-bounds.ts'
import type { UsageId } from '../../usage/usage-record.ts'
import type { SchemaOf } from '../fields.ts'
import { timeSchema } from '../times.ts'

export const requestIdSchema = textWithin(64)

/** A number from 100 to 599, or a class as `4xx`. */
const status = v.pipe(
  v.string(),
  v.regex(/^(?:[1-5]\d\d|[2-5]xx)$/, `must be a status or one of ${statusClasses.join(', ')}`),
  v.transform((text): number | StatusClass => statusClasses.find((one) => one === text) ?? Number(text)),
)

const PLACE = /^(\d{1,15})\.([\x21-\x7e]{1,64})$/

/** The `next` of a page. */
const place = v.pipe(
  v.string(),
  v.regex(PLACE, "must be the 'next' of a page"),
  v.transform((text): LogPlace => {
    const [, at = '', id = ''] = PLACE.exec(text) ?? []
    return { at: new Date(Number(at)), id: id as UsageId } // an unknown id is only a place
  }),
)

export const requestQuerySchema = v.strictObject({
  /** @default the oldest entry */
  from: v.exactOptional(timeSchema),
  /** @default now */
  to: v.exactOptional(timeSchema),
  key_id: v.exactOptional(keyIdSchema),
  /** A user of the host. */
  user_id: v.exactOptional(userIdSchema),
  /** The gateway's own user of keys. */
  person_id: v.exactOptional(textWithin(128)),
  team_id: v.exactOptional(textWithin(128)),
  tag: v.exactOptional(textWithin(64)),
  model: v.exactOptional(textWithin(512)),
  provider: v.exactOptional(textWithin(128)),
  status: v.exactOptional(status),
  operation: v.exactOptional(v.picklist(usageOperations)),
  /** A text in the prompt, the answer or the message of an error, in upper or lower case. */
  q: v.exactOptional(textWithin(MAX_SEARCHED_TEXT)),
  /** `jsonl` sends all entries with their texts, one on each line. */
  format: v.exactOptional(v.picklist(['json', 'jsonl']), 'json'),
  /** Of JSON only. @default 50 */
  limit: v.exactOptional(wholeTextWithin(1, MAX_LOGGED_PAGE)),
  after: v.exactOptional(place),
})

const error = v.object({
  /** As the metrics' label `error.type`. */
  type: v.string(),
  message: v.nullable(v.string()),
})

const attempt = v.object({
  provider: v.string(),
  upstream_model: v.nullable(v.string()),
  cause: v.picklist(['first', 'retry', 'fallback']),
  /** Set where the upstream was not called. */
  passed_over: v.nullable(v.picklist(['circuit_open', 'paused', 'busy'])),
  /** Milliseconds after the admission. */
  start_ms: v.number(),
  duration_ms: v.number(),
  status: v.number(),
  error: v.nullable(error),
})

const text = v.object({
  text: v.string(),
  /** Whether a part is missing. */
  truncated: v.boolean(),
})

const entries = {
  object: v.literal('request'),
  id: v.string(),
  /** The `x-request-id` of the answer. */
  request_id: v.string(),
  /** The end of the request. */
  at: v.string(),
  caller: v.picklist(['key', 'user', 'admin', 'anonymous']),
  key_id: v.nullable(v.string()),
  user_id: v.nullable(v.string()),
  person_id: v.nullable(v.string()),
  team_id: v.nullable(v.string()),
  tags: v.array(v.string()),
  end_user: v.nullable(v.string()),
  operation: v.string(),
  /** `null` where the request was refused before its body was read. */
  model: v.nullable(v.string()),
  provider: v.nullable(v.string()),
  upstream_model: v.nullable(v.string()),
  status: v.number(),
  error: v.nullable(error),
  /** Whose rule or limit has refused the request: that of the key, its team or its user. */
  refused_by: v.nullable(v.picklist(['key', 'team', 'user'])),
  streamed: v.boolean(),
  partial: v.boolean(),
  estimated: v.boolean(),
  cache_hit: v.boolean(),
  latency_ms: v.number(),
  first_token_ms: v.nullable(v.number()),
  input_tokens: v.number(),
  output_tokens: v.number(),
  cached_tokens: v.number(),
  cache_write_tokens: v.number(),
  reasoning_tokens: v.number(),
  audio_input_tokens: v.number(),
  audio_output_tokens: v.number(),
  searches: v.number(),
  images: v.number(),
  /** US dollars, as a decimal. `null` where no price is known. */
  cost: v.nullable(v.string()),
  attempts: v.array(attempt),
  /** The number of attempts beyond those. */
  omitted_attempts: v.number(),
}

const request = v.object(entries)

export interface RequestSchema extends SchemaOf<typeof request> {}

const requestDetail = v.object({
  ...entries,
  /** `null` where texts are not stored. */
  prompt: v.nullable(text),
  /** `null` where texts are not stored, or the answer has none. */
  answer: v.nullable(text),
})

export interface RequestDetailSchema extends SchemaOf<typeof requestDetail> {}

export const requestDetailSchema: RequestDetailSchema = requestDetail

const requestList = v.object({
  object: v.literal('list'),
  /** Whether requests are logged. */
  enabled: v.boolean(),
  data: v.array(request),
  /** Whether there may be more entries. A page with a filter may have fewer entries than `limit`, or none. */
  has_more: v.boolean(),
  /** The `after` of the next page. */
  next: v.nullable(v.string()),
})

export interface RequestListSchema extends SchemaOf<typeof requestList> {}

export const requestListSchema: RequestListSchema = requestList
