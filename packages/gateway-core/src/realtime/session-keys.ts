import type { ApiKey, ApiKeyId } from '../api-keys/api-key.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { Caller } from '../caller.ts'

/** Other replicas may end a key without a notice, and a key ends with its time. */
const CHECK_MS = 5_000

interface KeySession {
  end(reason: 'key-ended'): void
}

export interface SessionKeysParts {
  readonly check: ApiKeys['check']
  readonly onFault: (error: unknown) => void
}

/** Ends the open sessions of keys that were revoked or rotated, or have expired. */
export class SessionKeys {
  readonly #parts: SessionKeysParts
  readonly #keys = new Map<KeySession, ApiKey>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(parts: SessionKeysParts) {
    this.#parts = parts
  }

  add(session: KeySession, caller: Caller): void {
    if (caller.type !== 'key') return
    this.#keys.set(session, caller.key)
    this.#timer ??= setInterval(() => this.check(undefined), CHECK_MS)
  }

  delete(session: KeySession): void {
    this.#keys.delete(session)
    if (this.#keys.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Checks the key with this id, and ends its sessions where it has ended. @param id `undefined`: all keys */
  check(id: ApiKeyId | undefined): void {
    for (const [session, key] of this.#keys) {
      if (id === undefined || key.id === id) this.#checkOne(session, key).catch(this.#parts.onFault)
    }
  }

  async #checkOne(session: KeySession, { id, hash }: ApiKey): Promise<void> {
    const checked = await this.#parts.check(id, hash)
    if (checked.isErr()) session.end('key-ended')
  }
}
