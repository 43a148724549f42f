import { type ChatCompletionChunk, ProviderFailure } from '@trivium/gateway-core/ports'
import type { AnswerBytes } from '@trivium/provider-kit'
import { type ChunkTranslationOptions, chunkTranslation } from './chunk-translation.ts'
import { messageEvents } from './message-events.ts'
import { refusalEvent } from './refusal.ts'

export interface ChunksOptions extends ChunkTranslationOptions {
  /** Kept from the client, even where the upstream repeats them. */
  readonly secrets: readonly string[]
}

/**
 * A message stream as chunks. It ends only where the message does: an `error` event, or a body that ends before
 * `message_stop`, throws. Returning early frees the connection at once, whatever is being waited for.
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
