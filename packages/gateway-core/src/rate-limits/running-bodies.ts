import type { AccountId } from '../accounts/account-id.ts'

/** Smaller bodies are not counted. */
const MIN_BYTES = 2 ** 16

/** The most bytes that one account may send at the same time: four of the largest chats. */
const MAX_BYTES = 2 ** 27

/** The most bytes that all accounts may send to this process at the same time: sixteen of the largest chats. */
const MAX_ALL_BYTES = 2 ** 29

/** An account, or all accounts together, send too many bytes at the same time. */
export interface TooManyBodies {
  readonly type: 'too-many-bodies'
  readonly of: 'account' | 'process'
  readonly limitMegabytes: number
}

const tooMany = (of: TooManyBodies['of'], bytes: number): TooManyBodies => ({
  type: 'too-many-bodies',
  of,
  limitMegabytes: bytes / 2 ** 20,
})

/**
 * Counts the announced bytes of the bodies that each account is sending to this process. A body is in memory until its last
 * byte arrives, and rate limits count only after that.
 */
export class RunningBodies {
  readonly #bytes = new Map<AccountId, number>()
  #all = 0

  /** @returns a function to call at the end of the body; `undefined` for a body that is not counted */
  begin(id: AccountId, bytes: number): TooManyBodies | (() => void) | undefined {
    if (bytes < MIN_BYTES) return undefined
    const before = this.#bytes.get(id) ?? 0
    if (before + bytes > MAX_BYTES) return tooMany('account', MAX_BYTES)
    if (this.#all + bytes > MAX_ALL_BYTES) return tooMany('process', MAX_ALL_BYTES)
    this.#bytes.set(id, before + bytes)
    this.#all += bytes
    let isOpen = true
    return () => {
      // The end of a body is reported more than once.
      if (isOpen) this.#end(id, bytes)
      isOpen = false
    }
  }

  #end(id: AccountId, bytes: number): void {
    this.#all -= bytes
    const left = (this.#bytes.get(id) ?? 0) - bytes
    if (left > 0) this.#bytes.set(id, left)
    else this.#bytes.delete(id)
  }
}
