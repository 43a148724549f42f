import type { ByteReceiver, ByteSource } from '../../providers/provider.ts'
import { type ProviderError, ProviderFailure, toProviderError } from '../../providers/provider-error.ts'
import type { ChatCompletion, ChatCompletionChunk } from '../chat-completion.ts'

const encoder = new TextEncoder()
const DONE = encoder.encode('data: [DONE]\n\n')

/** Makes the bytes of an event stream of typed chunks. */
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
        // A source that fails while it is closed has nobody to tell.
        iterator.return?.().then(undefined, () => undefined)
      },
    }
  }
}

const failureOf = (thrown: unknown): ProviderError =>
  ProviderFailure.is(thrown)
    ? thrown.error
    : toProviderError({ type: 'malformed', message: 'The provider failed in the middle of its answer' })

/**
 * Makes a stream of an answer that came as a whole: the role, each content, the finish reasons, the usage.
 *
 * @param includeUsage whether every chunk has a `usage`, as clients that asked for it expect
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
