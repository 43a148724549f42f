import * as v from 'valibot'
import { wholeWithin } from '../bounds.ts'

/** A {@link Query}, whose clauses are those of `parseFilter`. */
export const querySchema = v.object({ all: v.array(v.object({ any: v.array(v.object({ field: v.string() })) })) })

/** A {@link PageRequest}. */
export const pageSchema = v.object({
  query: querySchema,
  order: v.array(v.object({ field: v.string(), descending: v.boolean() })),
  start: v.optional(v.array(v.unknown())),
  limit: wholeWithin(1, Number.MAX_SAFE_INTEGER),
})
