import type { ChatCompletionRequest, ChatMessage } from './chat-request.ts'

/** Of common tokenizers and English, about. */
const CHARACTERS_PER_TOKEN = 4
const TOKENS_PER_MESSAGE = 4
/** A picture at a middling resolution. */
const TOKENS_PER_ATTACHMENT = 800

/** How many tokens a text has, roughly. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN)

/** How many tokens a request has, roughly: where nobody counts them, and before somebody does. */
export function estimateInput({ messages, tools }: ChatCompletionRequest): number {
  const toolTokens = tools ? estimateTokens(JSON.stringify(tools)) : 0
  return messages.reduce((sum, message) => sum + estimateMessage(message), toolTokens)
}

function estimateMessage(message: ChatMessage): number {
  const calls = 'tool_calls' in message && message.tool_calls ? estimateTokens(JSON.stringify(message.tool_calls)) : 0
  return TOKENS_PER_MESSAGE + calls + estimateContent(message.content)
}

function estimateContent(content: ChatMessage['content']): number {
  if (typeof content === 'string') return estimateTokens(content)
  return (content ?? []).reduce(
    (sum, part) => sum + (part.type === 'text' ? estimateTokens(part.text) : TOKENS_PER_ATTACHMENT),
    0,
  )
}

/** What a request may cost at most, as far as it says; `defaultOutput` where it does not. */
export function estimateCost(request: ChatCompletionRequest, defaultOutput: number): number {
  const output = request.max_completion_tokens ?? request.max_tokens ?? defaultOutput
  return estimateInput(request) + output * (request.n ?? 1)
}
