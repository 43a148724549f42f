/** The most summaries in a list. One more shows whether there are others. */
export const MAX_SUMMARIES = 10_000

/** What usage can be grouped by, in the order of summaries. */
export const usageGroupings = [
  'key',
  'user',
  'team',
  'tag',
  'model',
  'provider',
  'upstreamModel',
  'status',
  'operation',
  'endUser',
  'hour',
  'day',
  'month',
] as const

/** By what the largest summaries are selected. */
export const usageOrders = ['cost', 'requests', 'tokens'] as const

/** The most days of a query by end users, for which each record is read. */
export const MAX_END_USER_DAYS = 31

/** The most summaries that are selected by size. */
export const MAX_TOP = 1_000

/** The operations of records. */
export const usageOperations = [
  'chat',
  'image',
  'search',
  'embedding',
  'completion',
  'moderation',
  'audio',
  'rerank',
  'realtime',
  'file',
  'batch',
] as const
