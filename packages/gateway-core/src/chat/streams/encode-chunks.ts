import type { ByteReceiver, ByteSource } from '../../providers/provider.ts'
import { type ProviderError, ProviderFailure, toProviderError } from '../../providers/provider-error.ts'
import type { ChatCompletion, ChatCompletionChunk } from '../chat-completion.ts'

const encoder = new TextEncoder()
const DONE = encoder.encode('data: [DONE]\n\n')

/** Encodes typed chunks as the bytes of an event stream. */
export function encodeChunks(chunks: AsyncIterable<ChatCompletionChunk>): (receiver: ByteReceiver) => ByteSource {
  return (receiver) => {
    const iterator = chunks[Symbol.asyncIterator]()
    let cancelled = false
    let wake: (() => void) | undefined

    const pump = async () => {
      try {
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
          if (cancelled) return
          const more = receiver.data(encoder.encode(`data: ${JSON.stringify(next.value)}\n\n`))
          if (!more && !cancelled) await new Promise<void>((resolve) => (wake = resolve))
          if (cancelled) return
        }
        if (cancelled) return
        receiver.data(DONE)
        receiver.end()
      } catch (thrown) {
        if (!cancelled) receiver.failed(failureOf(thrown))
      }
    }
    void pump()

    return {
      resume: () => wake?.(),
      cancel() {
        if (cancelled) return
        cancelled = true
        wake?.()
        // An error while the source closes is ignored: no one receives it.
        iterator.return?.().then(undefined, () => undefined)
      },
    }
  }
}

const failureOf = (thrown: unknown): ProviderError =>
  ProviderFailure.is(thrown)
    ? thrown.error
    : toProviderError({ type: 'malformed', message: 'The provider failed in the middle of its answer.' })

/**
 * Splits a complete answer into chunks. Each choice gives its role, its message and its finish reason. The usage is last.
 *
 * @param includeUsage whether every chunk has a `usage`, as with `stream_options.include_usage`
 */
export async function* chunksOf(
  completion: ChatCompletion,
  includeUsage: boolean,
): AsyncGenerator<ChatCompletionChunk> {
  const { choices, usage, ...head } = completion
  const chunk = (choices: ChatCompletionChunk['choices']): ChatCompletionChunk => ({
    ...head,
    object: 'chat.completion.chunk',
    choices,
    ...(includeUsage ? { usage: null } : {}),
  })
  for (const { index, message, logprobs, finish_reason } of choices) {
    const { tool_calls: calls, ...delta } = message
    const toolCalls = calls?.map((call, place) => ({ ...call, index: place }))
    yield chunk([{ index, delta: { role: 'assistant', content: '' }, finish_reason: null }])
    yield chunk([
      { index, delta: { ...delta, ...(toolCalls ? { tool_calls: toolCalls } : {}) }, logprobs, finish_reason: null },
    ])
    yield chunk([{ index, delta: {}, finish_reason: finish_reason ?? 'stop' }])
  }
  if (usage) yield { ...chunk([]), usage }
}
