import type { ChatCompletionRequest, ChatMessage } from '@trivium/gateway-core/ports'

/** Returns the texts of a message. Other parts, such as images, are replaced with their type. */
export function textsOf(message: ChatMessage | undefined): readonly string[] {
  const content = message?.content
  if (typeof content === 'string') return [content]
  return (content ?? []).map((part) =>
    part.type === 'text' && typeof part.text === 'string' ? part.text : `[${part.type}]`,
  )
}

/**
 * The most characters that these models read of a text, which can be as long as a request and is read for each choice.
 */
const MAX_CHARACTERS = 16_384

/** Returns the first 16,384 characters of the last message of the user. */
export const lastUserText = ({ messages }: ChatCompletionRequest): string => readable(messages.findLast(isOfUser))

/** Returns the first 16,384 characters of the last message, of any role. */
export const lastText = ({ messages }: ChatCompletionRequest): string => readable(messages.at(-1))

const isOfUser = ({ role }: ChatMessage): boolean => role === 'user'

/** Joins only the texts that are read: all of them may be as long as a request. */
function readable(message: ChatMessage | undefined): string {
  let text = ''
  for (const [index, one] of textsOf(message).entries()) {
    if (text.length >= MAX_CHARACTERS) break
    text += (index > 0 ? ' ' : '') + one.slice(0, MAX_CHARACTERS)
  }
  return text.slice(0, MAX_CHARACTERS).toWellFormed()
}
