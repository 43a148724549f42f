import { wholeWithin } from '../../bounds.ts'

/** The most messages of a request, which is Anthropic's limit. */
export const MAX_MESSAGES = 100_000

/** The most output tokens of an answer. Anthropic's clients send 0 to fill a cache. */
export const maxTokensSchema = wholeWithin(0, Number.MAX_SAFE_INTEGER)
