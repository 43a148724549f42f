import type { ChatCompletionRequest, ChatMessage } from '@trivium/gateway-core/ports'

/** What a message says, its parts joined; pictures and sounds are named, not described. */
export function textOf(message: ChatMessage | undefined): string {
  const content = message?.content
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join(' ')
}

/** These models read so much of a text: it may be as long as a request, and is answered for each choice. */
const MOST_CHARACTERS = 16_384

/** What the user said last, the first 16,384 characters of it. */
export const lastUserText = ({ messages }: ChatCompletionRequest): string => readable(messages.findLast(isOfUser))

/** What was said last, by the user or a tool, the first 16,384 characters of it. */
export const lastText = ({ messages }: ChatCompletionRequest): string => readable(messages.at(-1))

const isOfUser = ({ role }: ChatMessage): boolean => role === 'user'

const readable = (message: ChatMessage | undefined): string => textOf(message).slice(0, MOST_CHARACTERS).toWellFormed()
