import type { ChatChunkChoice, ChatCompletionChunk, ChatDelta, ChatUsage, ToolCall } from '@trivium/gateway-core/ports'
import type { ComposedReply } from './compose-reply.ts'

export interface AnswerHead {
  readonly id: string
  readonly created: number
  readonly model: string
}

/**
 * Streams replies in the order of OpenAI: the role, the pieces, the finish reason, and after all choices one chunk with
 * the usage.
 *
 * @param includeUsage whether every chunk has a `usage`, as clients that request it expect
 */
export async function* streamReplies(
  head: AnswerHead,
  replies: readonly ComposedReply[],
  usage: ChatUsage,
  wait: () => Promise<void>,
  includeUsage: boolean,
): AsyncGenerator<ChatCompletionChunk> {
  const chunk = (choices: readonly ChatChunkChoice[]): ChatCompletionChunk => ({
    ...head,
    object: 'chat.completion.chunk',
    choices,
    ...(includeUsage ? { usage: null } : {}),
  })
  for (const [index, { tokens, toolCalls, finishReason }] of replies.entries()) {
    const next = (delta: ChatDelta) => chunk([{ index, delta, logprobs: null, finish_reason: null }])
    await wait()
    yield next({ role: 'assistant', content: toolCalls.length > 0 ? null : '', refusal: null })
    for (const content of tokens) {
      await wait()
      yield next({ content })
    }
    for (const delta of toolCallDeltas(toolCalls)) {
      await wait()
      yield next(delta)
    }
    yield chunk([{ index, delta: {}, logprobs: null, finish_reason: finishReason }])
  }
  yield { ...chunk([]), usage }
}

const PIECE = 8

/** Yields the id and the name first, then the arguments in pieces, as real models do. */
function* toolCallDeltas(toolCalls: readonly ToolCall[]): Generator<ChatDelta> {
  for (const [index, call] of toolCalls.entries()) {
    if (call.type !== 'function') continue
    const { name, arguments: text } = call.function
    yield { tool_calls: [{ index, id: call.id, type: 'function', function: { name, arguments: '' } }] }
    for (let start = 0; start < text.length; start += PIECE) {
      yield { tool_calls: [{ index, function: { arguments: text.slice(start, start + PIECE) } }] }
    }
  }
}
