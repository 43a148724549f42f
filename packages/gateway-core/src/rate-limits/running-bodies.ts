import type { ApiKeyId } from '../api-keys/api-key.ts'

/** Smaller bodies are not counted. */
const LEAST_BYTES = 2 ** 16

/** What one key may send at the same time: sixteen of the largest chats. */
const MOST_BYTES = 2 ** 27

/** A key sends more at the same time than it may. */
export interface TooManyBodies {
  readonly type: 'too-many-bodies'
  readonly limitMegabytes: number
}

/**
 * The bytes of bodies that each key is sending, as announced. They are held until the last one came, and rate limits
 * count nothing before. The count is of one process: it protects that one.
 */
export class RunningBodies {
  readonly #bytes = new Map<ApiKeyId, number>()

  /** @returns what ends it; `undefined` for a body that is not counted */
  begin(id: ApiKeyId, bytes: number): TooManyBodies | (() => void) | undefined {
    if (bytes < LEAST_BYTES) return undefined
    const before = this.#bytes.get(id) ?? 0
    if (before + bytes > MOST_BYTES) return { type: 'too-many-bodies', limitMegabytes: MOST_BYTES / 2 ** 20 }
    this.#bytes.set(id, before + bytes)
    return () => this.#end(id, bytes)
  }

  #end(id: ApiKeyId, bytes: number): void {
    const left = (this.#bytes.get(id) ?? 0) - bytes
    if (left > 0) this.#bytes.set(id, left)
    else this.#bytes.delete(id)
  }
}
