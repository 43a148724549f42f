/** The tables of the gateway. Times are milliseconds since 1970, booleans 0 and 1. */
export type GatewayTables = {
  gateway_api_keys: ApiKeyRow
  gateway_admissions: AdmissionRow
  gateway_budgets: BudgetRow
  gateway_holds: HoldRow
  gateway_receipts: ReceiptRow
  gateway_usage: UsageRow
  gateway_usage_sums: UsageSumRow
  gateway_usage_tags: UsageTagRow
  gateway_key_changes: KeyChangeRow
  gateway_key_version: KeyVersionRow
  gateway_write_proof: WriteProofRow
  gateway_responses: ResponseRow
  gateway_response_outputs: ResponseOutputRow
  gateway_response_owners: ResponseOwnerRow
  gateway_conversations: ConversationRow
  gateway_conversation_items: ConversationItemRow
  gateway_groups: GroupRow
  gateway_answers: AnswerRow
  gateway_requests: LoggedRequestRow
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
  team_id: string | null
  /** JSON of its policy, labels, and further limits. Null where none is set. */
  terms: string | null
}

/** A team or a user. */
export interface GroupRow {
  kind: 'team' | 'user'
  id: string
  name: string
  /** JSON of its limits, policy and labels. */
  terms: string
  created_at: number
}

/** Admissions of an account at one time. A row never changes. */
export interface AdmissionRow {
  key_id: string
  /** Those of an account are consecutive. */
  number: number
  at: number
  /** 0 where only the shift has changed. */
  count: number
  /** Milliseconds by which the log is ahead of the clock of the last request, where that clock is late. Else 0. */
  shift: number
  /** A random number of the process that has added the row. */
  writer: number
}

/** What an account settled in its latest minute, day and month. A window is the number of it since 1970. */
export interface BudgetRow {
  key_id: string
  minute_window: number
  minute_tokens: number
  day_window: number
  day_tokens: number
  /** Billionths of a dollar, like all amounts. */
  day_spent: number
  month_window: number
  month_spent: number
  total_spent: number
  /** Number of windows by which these are ahead of the clock of the last settlement. */
  minute_shift: number
  day_shift: number
  month_shift: number
}

/** A reservation in one of its accounts. */
export interface HoldRow {
  id: string
  key_id: string
  tokens: number
  cost: number
  expires_at: number
  /** On the same clock as `expires_at`. */
  made_at: number
  /** Null except in one of the rows. */
  receipt: string | null
  has_receipt: number
}

/** The receipt of a settlement that is not confirmed. */
export interface ReceiptRow {
  id: string
  settled_at: number
  receipt: string
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
  cached_tokens: number
  cache_write_tokens: number
  reasoning_tokens: number
  audio_input_tokens: number
  audio_output_tokens: number
  searches: number
  /** Nanodollars. Null where no price was known. */
  cost: number | null
  person_id: string | null
  team_id: string | null
  /** Digest of the tags. Null without tags. */
  tag_set: string | null
  end_user: string | null
  upstream_model: string | null
}

/** One tag of a set of tags, which records and sums name by its digest. */
export interface UsageTagRow {
  tag_set: string
  tag: string
  /** Begin of the last day with a record of the set. */
  last_used: number
}

/** Usage of records with equal members in one hour or day. Always equals the sum of the stored records. */
export interface UsageSumRow {
  /** Length of the hour or day in milliseconds. */
  span: number
  /** Begin of the hour or day, a multiple of `span`. */
  start: number
  /** Digest of the members of the records. */
  group_hash: string
  /** The members, as in a record. */
  key_id: string
  person_id: string | null
  team_id: string | null
  tag_set: string | null
  model: string
  provider: string | null
  upstream_model: string | null
  status: number
  operation: string
  day: string
  requests: number
  failures: number
  partial: number
  input_tokens: number
  output_tokens: number
  images: number
  cached_tokens: number
  cache_write_tokens: number
  reasoning_tokens: number
  audio_tokens: number
  searches: number
  /** Nanodollars. Records without a known price count as 0. */
  cost: number
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

/** An answer of the cache. */
export interface AnswerRow {
  /** The digest of the request. */
  hash: string
  stored_at: number
  expires_at: number
  answer: string
}

/** An entry of the request log. */
export interface LoggedRequestRow {
  id: string
  at: number
  account_id: string | null
  person_id: string | null
  team_id: string | null
  /** Each with a line feed before and after it. */
  tags: string | null
  model: string | null
  provider: string | null
  status: number
  /** 4 for statuses from 400 to 499. */
  status_class: number
  operation: string
  /** The texts of the entry in lower case. Null without texts. */
  search_text: string | null
  /** JSON of the whole entry. */
  entry: string
}
