/** Moments are milliseconds since 1970, booleans 0 and 1. */
export type GatewayTables = {
  gateway_api_keys: ApiKeyRow
  gateway_rate_limits: RateLimitRow
  gateway_rate_blocks: RateBlockRow
  gateway_budgets: BudgetRow
  gateway_reservations: ReservationRow
  gateway_usage: UsageRow
  gateway_usage_sums: UsageSumRow
  gateway_key_changes: KeyChangeRow
  gateway_key_version: KeyVersionRow
  gateway_write_proof: WriteProofRow
}

export interface ApiKeyRow {
  id: string
  hash: string
  hint: string
  user_id: string
  username: string
  name: string | null
  /** Unique, from username and name; null where the key holds no name. */
  name_claim: string | null
  rate_limit: number
  tokens_per_minute: number | null
  tokens_per_day: number | null
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  usage_count: number
  last_used_at: number | null
}

export interface RateLimitRow {
  key_id: string
  /** The times of the last admissions, oldest first, fifteen digits each. Never empty. */
  ring: string
  /** How many admissions there ever were. */
  admissions: number
  /** The number of the first admission, from 0 on, that may still count; those before it have left the window. */
  oldest: number
  /** How far the ring is ahead of the clock that asked last, where that is late; else 0. */
  shift: number
}

/** Admissions before those of a key's ring. Never changes. */
export interface RateBlockRow {
  key_id: string
  /** The number of its first admission. */
  first: number
  /** As a ring. */
  times: string
  last_time: number
}

/** What was settled last: in the minute and in the day of that number since 1970. */
export interface BudgetRow {
  key_id: string
  minute_window: number
  minute_tokens: number
  day_window: number
  day_tokens: number
  /** By how many windows these are ahead of the clock that settled last. */
  minute_shift: number
  day_shift: number
}

export interface ReservationRow {
  id: string
  key_id: string
  tokens: number
  expires_at: number
  /** On the same clock as `expires_at`. */
  made_at: number
}

export interface UsageRow {
  id: string
  at: number
  day: string
  /** Empty where the admin asked. */
  key_id: string
  operation: string
  model: string
  provider: string | null
  streamed: number
  input_tokens: number
  output_tokens: number
  estimated: number
  partial: number
  status: number
  latency_ms: number
  first_token_ms: number | null
  images: number
}

/** What one key used of one model in one hour or day: always the sum of the records that are there. */
export interface UsageSumRow {
  /** How long it is, in milliseconds. */
  span: number
  /** When it begins: a multiple of the span. */
  start: number
  /** Of the key and the model. */
  group_hash: string
  /** As in a record, as are the two below. */
  key_id: string
  model: string
  day: string
  requests: number
  failures: number
  partial: number
  input_tokens: number
  output_tokens: number
  images: number
}

export interface KeyChangeRow {
  version: number
  key_id: string
}

/** One row: how many changes there ever were. */
export interface KeyVersionRow {
  id: number
  version: number
}

/** One row, which is written to find out whether the database can be written to. */
export interface WriteProofRow {
  id: number
  writes: number
}
