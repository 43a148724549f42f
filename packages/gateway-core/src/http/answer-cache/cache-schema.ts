import * as v from 'valibot'

/** What the removal of all cached answers returns. */
export const clearedCacheSchema = v.strictObject({
  object: v.literal('cache'),
  removed: v.pipe(v.number(), v.description('The number of answers that were removed.')),
})
