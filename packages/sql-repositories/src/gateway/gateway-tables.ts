/** The tables of the gateway. Times are milliseconds since 1970, booleans 0 and 1. */
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
  gateway_responses: ResponseRow
  gateway_response_outputs: ResponseOutputRow
  gateway_response_owners: ResponseOwnerRow
  gateway_conversations: ConversationRow
  gateway_conversation_items: ConversationItemRow
}

export interface ApiKeyRow {
  id: string
  hash: string
  hint: string
  user_id: string
  username: string
  name: string | null
  /** A unique digest of username and name. Null where the key has no name or is revoked. */
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
  /** The times of the last admissions, oldest first, 15 digits each. Never empty. */
  ring: string
  /** Number of all admissions so far. */
  admissions: number
  /** The number, counted from 0, of the first admission that may still count. Those before it have left the window. */
  oldest: number
  /** Milliseconds by which the ring is ahead of the clock of the last request, where that clock is late. Else 0. */
  shift: number
}

/** Admissions before those of a key's ring. A row never changes. */
export interface RateBlockRow {
  key_id: string
  /** The number of its first admission. */
  first: number
  /** In the format of a ring. */
  times: string
  last_time: number
}

/** The tokens settled in a key's latest minute and day. A window is the number of the minute or day since 1970. */
export interface BudgetRow {
  key_id: string
  minute_window: number
  minute_tokens: number
  day_window: number
  day_tokens: number
  /** Number of windows by which these are ahead of the clock of the last settlement. */
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
  /** Empty for requests of the admin. */
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

/** Usage of one model by one key in one hour or day. Always equals the sum of the stored records. */
export interface UsageSumRow {
  /** Length of the hour or day in milliseconds. */
  span: number
  /** Begin of the hour or day, a multiple of `span`. */
  start: number
  /** Digest of the key and the model. */
  group_hash: string
  /** `key_id`, `model` and `day` as in a record. */
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

/** One row, with the number of all changes so far. */
export interface KeyVersionRow {
  id: number
  version: number
}

/** One row, which is updated to check that the database accepts writes. */
export interface WriteProofRow {
  id: number
  writes: number
}

export interface ResponseRow {
  id: string
  owner: string
  created_at: number
  expires_at: number
  state: string
  bytes: number
  previous_id: string | null
  conversation_id: string | null
  background: number
  lease_until: number | null
  response: string
  input: string
}

/** An item in the output of a response. */
export interface ResponseOutputRow {
  response_id: string
  item_id: string
}

/** The number and the bytes of an owner's responses. */
export interface ResponseOwnerRow {
  owner: string
  responses: number
  bytes: number
}

export interface ConversationRow {
  id: string
  owner: string
  created_at: number
  expires_at: number
  metadata: string
  /** The number of items. */
  items: number
  /** Of all items, in UTF-16 code units. */
  length: number
  next_position: number
}

export interface ConversationItemRow {
  conversation_id: string
  position: number
  item_id: string
  item: string
}
