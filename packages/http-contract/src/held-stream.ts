/**
 * Resolves once the first item is read, so that a stream which fails before it can still become an error reply. Rejects
 * with the error of the source. The other items are read when the reader requests them. Returning early closes the
 * source, and so does `signal` before the first item.
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
