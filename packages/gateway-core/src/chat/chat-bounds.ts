import { wholeWithin } from '../bounds.ts'

/** The most messages of a request. */
export const MAX_MESSAGES = 10_000

/** Answers to one request. */
export const choicesSchema = wholeWithin(1, 128)

/** The most output tokens of an answer. */
export const outputTokensSchema = wholeWithin(1, Number.MAX_SAFE_INTEGER)
