import type { ChatCompletionRequest, ChatMessage } from '@trivium/gateway-core/ports'

/** What a message says, its parts joined; pictures and sounds are named, not described. */
export function textOf(message: ChatMessage | undefined): string {
  const content = message?.content
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join(' ')
}

export const lastUserText = ({ messages }: ChatCompletionRequest): string =>
  textOf(messages.findLast(({ role }) => role === 'user'))
