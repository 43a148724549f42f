import { textWithin } from '../bounds.ts'

/** The id of a user of the host. */
export const userIdSchema = textWithin(128)

/** An `AccountId`: the id of a key, or that of a user with its prefix. */
export const accountSchema = textWithin(133)
