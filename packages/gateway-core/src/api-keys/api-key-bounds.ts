import * as v from 'valibot'
import { nameWithin, printable, textWithin, wholeWithin } from '../bounds.ts'

/** The most keys in a page of a list. One more shows whether there is another page. */
export const MAX_LISTED_KEYS = 1000

/** The id of a key, or of any other that is then not found. */
export const keyIdSchema = v.pipe(v.string(), v.maxLength(64, 'must have at most 64 characters'), printable)

/** The name of a key. */
export const keyNameSchema = textWithin(128)

/** The username of a new key. */
export const usernameSchema = nameWithin(128)

/** A username to look for, which any text may be. */
export const usernameQuerySchema = v.pipe(v.string(), v.maxLength(128, 'must have at most 128 characters'), printable)

/** Periods of 24 hours. */
export const expiresInDaysSchema = wholeWithin(1, 36_500)
