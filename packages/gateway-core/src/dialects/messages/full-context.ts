import type { ProviderError } from '../../providers/provider-error.ts'

/** OpenAI's code of a request that is longer than the context of the model. */
const CONTEXT_EXCEEDED = 'context_length_exceeded'

/** Anthropic's words, by which its clients know that they must compact a conversation. */
const TOO_LONG = 'prompt is too long'

const ANTHROPIC = /(?:prompt|input) is too long|exceeds? (?:the )?(?:model's )?context (?:limit|window)/i

/** The words of OpenAI, and of compatible servers that send no code. */
const OTHERS = /maximum context length|exceeds? the (?:available )?context|input token count[ (\d)]{1,24}exceeds/i

/** Returns OpenAI's code for a message of Anthropic that has one. */
export const codeOf = (message: string): string | undefined => (ANTHROPIC.test(message) ? CONTEXT_EXCEEDED : undefined)

/** Returns whether the upstream refuses a request that is longer than the context of the model. */
const isContextFull = (error: ProviderError): boolean =>
  error.type === 'refused' &&
  (error.status === 400 || error.status === 413) &&
  (error.code === CONTEXT_EXCEEDED || ANTHROPIC.test(error.message) || OTHERS.test(error.message))

/**
 * Returns the message of a failure for a client of messages. Before one of a full context are Anthropic's words, with its
 * counts where the upstream names both.
 */
export function messageWordsOf(error: ProviderError, words: string): string {
  if (!isContextFull(error) || words.toLowerCase().includes(TOO_LONG)) return words
  const most = /(?:context length|limit|maximum)(?: is| of)? (\d{1,12})/i.exec(words)?.[1]
  const used = /(?:resulted in|requested|contains?|has) (?:about |at least )?(\d{1,12})/i.exec(words)?.[1]
  const counts = most === undefined || used === undefined ? '' : ` ${used} tokens > ${most} maximum.`
  return `${TOO_LONG}:${counts} ${words}`
}
