import { releaseTimer } from '../release-timer.ts'
import type { BudgetRepository, ReservationId, ReservationKey } from './budget-repository.ts'

interface LastingHoldsOptions {
  readonly repository: Pick<BudgetRepository, 'renew'>
  readonly now: () => Date
  readonly onFault: (error: unknown) => void
}

interface OpenHold {
  readonly key: ReservationKey
  expiresAt: Date
}

const INTERVAL_MS = 30_000
/** Reservations that expire within this time are renewed. */
const MARGIN_MS = 90_000
const RENEWAL_MS = 300_000

/** Renews the reservations of answers that last longer than planned, such as streams. */
export class LastingHolds {
  readonly #options: LastingHoldsOptions
  readonly #open = new Map<ReservationId, OpenHold>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(options: LastingHoldsOptions) {
    this.#options = options
  }

  /** @returns a function that ends the renewal */
  add(key: ReservationKey, expiresAt: Date): () => void {
    this.#open.set(key.id, { key, expiresAt })
    if (!this.#timer) {
      this.#timer = setInterval(() => void this.#renew(), INTERVAL_MS)
      releaseTimer(this.#timer)
    }
    return () => {
      this.#open.delete(key.id)
      if (this.#open.size === 0) this.close()
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #renew(): Promise<void> {
    const { repository, now, onFault } = this.#options
    const at = now().getTime()
    const due = [...this.#open.values()].filter(({ expiresAt }) => expiresAt.getTime() < at + MARGIN_MS)
    if (due.length === 0) return
    const expiresAt = new Date(at + RENEWAL_MS)
    try {
      await repository.renew(
        due.map(({ key }) => key),
        expiresAt,
      )
      for (const hold of due) hold.expiresAt = expiresAt
    } catch (error) {
      onFault(error)
    }
  }
}
