import * as v from 'valibot'
import { wholeWithin } from '../bounds.ts'

/** The most results of a search. */
export const MAX_RESULTS = 100

export const searchTextSchema = v.pipe(
  v.string(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(2000, 'must have at most 2000 characters'),
)

export const engineSchema = v.pipe(v.string(), v.maxLength(64, 'must have at most 64 characters'))

export const searchTypeSchema = v.picklist(
  ['text', 'news', 'images', 'suggestions'],
  "must be 'text', 'news', 'images' or 'suggestions'",
)

export const regionAction = v.regex<string, string>(
  /^(?:all|[a-z]{2,3}-[a-z]{2,4})$/,
  "must be 'all' or a region such as 'us-en'",
)

export const safeSearchSchema = v.picklist(['on', 'moderate', 'off'], "must be 'on', 'moderate' or 'off'")

export const maxResultsSchema = wholeWithin(1, MAX_RESULTS)
