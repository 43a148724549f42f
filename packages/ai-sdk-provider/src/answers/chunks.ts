import { type ChatCompletionChunk, ProviderFailure } from '@trivium/gateway-core/ports'
import { failure, failureInStream } from '../failure.ts'
import type { StreamPart } from '../language-model.ts'
import { chunkTranslation } from './chunk-translation.ts'
import type { AnswerDefaults } from './completion.ts'

export interface ChunksOptions extends AnswerDefaults {
  readonly signal: AbortSignal
  readonly includeUsage: boolean
}

/**
 * Converts a model's stream to chunks. A stream that ends without a `finish` part is interrupted. Returning early, or
 * the signal, cancels the stream immediately, also for a model that ignores its signal.
 */
export function chunks(stream: ReadableStream<StreamPart>, options: ChunksOptions): AsyncIterable<ChatCompletionChunk> {
  const { signal, includeUsage, now } = options
  const reader = stream.getReader()
  const translation = chunkTranslation(options, includeUsage)
  const ready: ChatCompletionChunk[] = []
  let begun = false
  let over = false
  let leave: () => void = () => {}
  const left = new Promise<'left'>((resolve) => {
    leave = () => resolve('left')
  })

  const close = () => {
    over = true
    signal.removeEventListener('abort', leave)
    leave()
    // Errors of the model's own cancellation have no reader.
    void reader.cancel().catch(() => {})
  }
  const fail = (thrown: unknown): never => {
    close()
    if (!ProviderFailure.is(thrown)) throw thrown
    throw new ProviderFailure({ ...thrown.error, beforeFirstByte: !begun }, { cause: thrown })
  }
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()

  async function next(): Promise<IteratorResult<ChatCompletionChunk>> {
    while (ready.length === 0) {
      if (over) return { done: true, value: undefined }
      const read = await Promise.race([reader.read().catch((thrown: unknown) => ({ thrown })), left])
      if (signal.aborted && !over) return fail(new ProviderFailure(cancelled))
      if (read === 'left') return { done: true, value: undefined }
      if ('thrown' in read) return fail(failure(read.thrown, signal, () => now))
      if (read.done) {
        if (!translation.complete) return fail(new ProviderFailure(interrupted))
        close()
        return { done: true, value: undefined }
      }
      if (read.value.type === 'error') return fail(failureInStream(read.value.error, signal, () => now))
      try {
        ready.push(...translation.translate(read.value))
      } catch (thrown) {
        fail(thrown)
      }
    }
    begun = true
    const [value] = ready.splice(0, 1)
    return value ? { done: false, value } : { done: true, value: undefined }
  }

  return {
    [Symbol.asyncIterator]: () => ({
      next,
      return: async () => {
        close()
        ready.length = 0
        return { done: true, value: undefined }
      },
    }),
  }
}

const cancelled = { type: 'cancelled', message: 'The request was cancelled.' } as const

const interrupted = {
  type: 'interrupted',
  message: 'The model closed its stream before its answer was complete.',
} as const
