import { type ChatCompletionChunk, ProviderFailure } from '@trivium/gateway-core/ports'
import type { AnswerBytes } from '@trivium/provider-kit'
import { type ChunkTranslationOptions, chunkTranslation } from './chunk-translation.ts'
import { messageEvents } from './message-events.ts'
import { refusalEvent } from './refusal.ts'

export interface ChunksOptions extends ChunkTranslationOptions {
  /** Texts that are removed from errors of the upstream. */
  readonly secrets: readonly string[]
}

/**
 * Converts a message stream to chunks. It throws a `ProviderFailure` for an `error` event, and for a body that ends
 * before `message_stop`. Returning early frees the connection immediately, also during a pending read.
 */
export function chunks(body: AnswerBytes, options: ChunksOptions): AsyncIterable<ChatCompletionChunk> {
  let left = false
  const translated = translate(body, options, () => left)
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => translated.next(),
      return: async () => {
        left = true
        body.cancel()
        await translated.return(undefined)
        return { done: true, value: undefined }
      },
    }),
  }
}

async function* translate(
  body: AnswerBytes,
  options: ChunksOptions,
  hasLeft: () => boolean,
): AsyncGenerator<ChatCompletionChunk> {
  const translation = chunkTranslation(options)
  let begun = false
  try {
    for await (const events of messageEvents(body)) {
      for (const event of events) {
        if (event.type === 'error') throw refusalEvent(event, options.secrets)
        for (const chunk of translation.translate(event)) {
          yield chunk
          begun = true
        }
      }
    }
  } catch (thrown) {
    if (translation.complete) return
    if (!ProviderFailure.is(thrown)) throw thrown
    throw new ProviderFailure({ ...thrown.error, beforeFirstByte: !begun }, { cause: thrown })
  }
  if (translation.complete || hasLeft()) return
  throw new ProviderFailure({
    type: 'interrupted',
    message: 'The upstream closed the stream before the message was complete.',
    beforeFirstByte: !begun,
  })
}
