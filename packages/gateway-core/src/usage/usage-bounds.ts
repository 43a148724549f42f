/** The most summaries in a list. One more shows whether there are others. */
export const MAX_SUMMARIES = 10_000

/** What usage can be grouped by. */
export const usageGroupings = ['key', 'model', 'day'] as const
