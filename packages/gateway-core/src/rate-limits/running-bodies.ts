import type { AccountId } from '../accounts/account-id.ts'

/** Smaller bodies are not counted. */
const MIN_BYTES = 2 ** 16

/** The most bytes that one account may send at the same time: sixteen of the largest chats. */
const MAX_BYTES = 2 ** 27

/** An account sends too many bytes at the same time. */
export interface TooManyBodies {
  readonly type: 'too-many-bodies'
  readonly limitMegabytes: number
}

/**
 * Counts the announced bytes of the bodies that each account is sending to this process. A body is in memory until its last
 * byte arrives, and rate limits count only after that.
 */
export class RunningBodies {
  readonly #bytes = new Map<AccountId, number>()

  /** @returns a function to call at the end of the body; `undefined` for a body that is not counted */
  begin(id: AccountId, bytes: number): TooManyBodies | (() => void) | undefined {
    if (bytes < MIN_BYTES) return undefined
    const before = this.#bytes.get(id) ?? 0
    if (before + bytes > MAX_BYTES) return { type: 'too-many-bodies', limitMegabytes: MAX_BYTES / 2 ** 20 }
    this.#bytes.set(id, before + bytes)
    return () => this.#end(id, bytes)
  }

  #end(id: AccountId, bytes: number): void {
    const left = (this.#bytes.get(id) ?? 0) - bytes
    if (left > 0) this.#bytes.set(id, left)
    else this.#bytes.delete(id)
  }
}
