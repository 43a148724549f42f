import { jsonLength } from '../dialects/requests/json-length.ts'
import type { ChatCompletionRequest, ChatMessage, ContentPart } from './chat-request.ts'
import { isObject } from './is-object.ts'

/** The approximate ratio of common tokenizers for English. */
const CHARACTERS_PER_TOKEN = 4
/** What a message takes beside its text. */
export const TOKENS_PER_MESSAGE = 4
/** The approximate tokens of an image at a medium resolution. */
export const TOKENS_PER_ATTACHMENT = 800

/** Estimates the tokens of a text. */
export const estimateTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN)

/** Estimates the tokens of a value in JSON. */
export const estimateJson = (value: unknown): number => Math.ceil(jsonLength(value) / CHARACTERS_PER_TOKEN)

/** Estimates the input tokens of a request, before it is sent or where the provider reports none. */
export function estimateInput({ messages, tools }: ChatCompletionRequest): number {
  const toolTokens = tools ? estimateJson(tools) : 0
  return messages.reduce((sum, message) => sum + estimateMessage(message), toolTokens)
}

function estimateMessage(message: ChatMessage): number {
  const calls = 'tool_calls' in message && message.tool_calls ? estimateJson(message.tool_calls) : 0
  return TOKENS_PER_MESSAGE + calls + estimateContent(message.content)
}

function estimateContent(content: ChatMessage['content']): number {
  if (typeof content === 'string') return estimateTokens(content)
  return (content ?? []).reduce((sum, part) => sum + estimatePart(part), 0)
}

/** Parts of any type with a text count by it. */
function estimatePart(part: ContentPart): number {
  if ('text' in part && typeof part.text === 'string') return estimateTokens(part.text)
  if ('refusal' in part && typeof part.refusal === 'string') return estimateTokens(part.refusal)
  if (part.type === 'thinking' && 'thinking' in part) return estimateThinking(part.thinking)
  return TOKENS_PER_ATTACHMENT
}

/** Reasoning is a text, or a list of texts. */
function estimateThinking(thinking: unknown): number {
  if (typeof thinking === 'string') return estimateTokens(thinking)
  const parts: readonly unknown[] = Array.isArray(thinking) ? thinking : []
  return parts.reduce<number>(
    (sum, part) => sum + (isObject(part) && typeof part.text === 'string' ? estimateTokens(part.text) : 0),
    0,
  )
}

/** Returns the most output tokens of all answers, where the request limits them. */
export function outputLimit(request: ChatCompletionRequest): number | undefined {
  const { max_completion_tokens: limit, max_tokens: old } = request
  if (typeof limit !== 'number' && typeof old !== 'number') return undefined
  // Upstreams differ in which one they obey.
  return Math.max(limit ?? 0, old ?? 0) * (request.n ?? 1)
}
