import { wholeWithin } from '../../bounds.ts'
import { isObject } from '../../chat/is-object.ts'

/** The most messages of a request, which is Anthropic's limit. */
export const MAX_MESSAGES = 100_000

/** The most output tokens of an answer. Anthropic's clients send 0 to fill a cache. */
export const maxTokensSchema = wholeWithin(0, Number.MAX_SAFE_INTEGER)

export const NO_MESSAGES = 'must have at least one message'

/** Returns whether a request has messages, or may be without: a turn of a thread can continue what the upstream holds. */
export const hasMessages = (body: { readonly messages: readonly unknown[]; readonly thread?: unknown }): boolean =>
  body.messages.length > 0 || isObject(body.thread)
