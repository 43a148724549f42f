/**
 * Pulls the first item before it answers, so that a stream that fails at once can still become a proper error reply.
 * The rest comes as it is asked for; returning early closes the source, and so does `signal` while the first item is
 * waited for.
 */
export async function holdFirst<Item>(source: AsyncIterable<Item>, signal: AbortSignal): Promise<AsyncIterable<Item>> {
  const iterator = source[Symbol.asyncIterator]()
  const close = () => void iterator.return?.().then(undefined, () => undefined)
  signal.addEventListener('abort', close, { once: true })
  try {
    let first: IteratorResult<Item> | undefined = await iterator.next()
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          if (!first) return iterator.next()
          const result = first
          first = undefined
          return Promise.resolve(result)
        },
        return: async () => {
          await iterator.return?.()
          return { done: true, value: undefined }
        },
      }),
    }
  } finally {
    signal.removeEventListener('abort', close)
  }
}
