import * as v from 'valibot'
import { printable, textWithin, wholeWithin } from '../bounds.ts'

/** The most keys in a page of a list. One more shows whether there is another page. */
export const MAX_LISTED_KEYS = 1000

/** The id of a key, or of any other that is then not found. */
export const keyIdSchema = v.pipe(v.string(), v.maxLength(64, 'must have at most 64 characters'), printable)

/** A username, or the name of a key. */
export const keyNameSchema = textWithin(128)

/** A username to look for, which any text may be. */
export const usernameQuerySchema = v.pipe(v.string(), v.maxLength(128, 'must have at most 128 characters'), printable)

/** The least and the most requests in 60 seconds. */
export const rateLimitBounds = [1, 100_000] as const

/** Requests in 60 seconds. */
export const rateLimitSchema = wholeWithin(...rateLimitBounds)

/** Tokens in a minute or in a day. */
export const tokenLimitSchema = wholeWithin(1, Number.MAX_SAFE_INTEGER)

/** Periods of 24 hours. */
export const expiresInDaysSchema = wholeWithin(1, 36_500)
