/** A file in memory that can be read while it grows. */
export interface MemoryFile {
  append(bytes: Uint8Array): void
  bytes(): Uint8Array
  length(): number
  modifiedAt(): Date
  /** Yields the content in chunks. With `follow`, waits for more until the file is removed or the signal aborts. */
  read(options: { readonly follow: boolean; readonly signal: AbortSignal }): AsyncIterable<Uint8Array>
  /** Ends every reader. */
  remove(): void
}

export function createMemoryFile(now: () => Date, content: Uint8Array = new Uint8Array()): MemoryFile {
  const chunks: Uint8Array[] = content.length > 0 ? [content.slice()] : []
  let length = content.length
  let modifiedAt = now()
  let removed = false
  const waiting = new Set<() => void>()

  const wake = () => {
    for (const proceed of waiting) proceed()
    waiting.clear()
  }

  return {
    append: (bytes) => {
      chunks.push(bytes.slice())
      length += bytes.length
      modifiedAt = now()
      wake()
    },
    bytes: () => {
      const all = new Uint8Array(length)
      let offset = 0
      for (const chunk of chunks) {
        all.set(chunk, offset)
        offset += chunk.length
      }
      return all
    },
    length: () => length,
    modifiedAt: () => new Date(modifiedAt),
    read: async function* ({ follow, signal }) {
      signal.addEventListener('abort', wake)
      try {
        for (let next = 0; !signal.aborted; ) {
          const chunk = chunks[next]
          if (chunk) {
            next += 1
            yield chunk
          } else if (follow && !removed) await new Promise<void>((resolve) => waiting.add(resolve))
          else return
        }
      } finally {
        signal.removeEventListener('abort', wake)
      }
    },
    remove: () => {
      removed = true
      wake()
    },
  }
}
