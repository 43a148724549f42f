import { RATE_WINDOW_MS } from '@trivium/gateway-core/ports'

/** The admissions of one key that are in the window, oldest first, in a ring that grows with them. */
export class AdmissionQueue {
  #times = new Float64Array(8)
  #head = 0
  #size = 0
  /** The time of the last admission, expired or not. */
  last = Number.NEGATIVE_INFINITY
  /** When it was last put behind all others. */
  placedAt = Number.NEGATIVE_INFINITY

  get size(): number {
    return this.#size
  }

  /** @returns the time that counts: `now`, or the last admission's where that is later */
  expire(now: number): number {
    const time = Math.max(now, this.last)
    while (this.#size > 0 && time - this.#at(0) >= RATE_WINDOW_MS) {
      this.#head = (this.#head + 1) % this.#times.length
      this.#size -= 1
    }
    return time
  }

  add(time: number): void {
    if (this.#size === this.#times.length) this.#grow()
    this.#times[(this.#head + this.#size) % this.#times.length] = time
    this.#size += 1
    this.last = time
  }

  /** The time of the last admission but `count - 1`. */
  fromLast(count: number): number {
    return this.#at(this.#size - count)
  }

  #at(index: number): number {
    return this.#times[(this.#head + index) % this.#times.length] ?? Number.NaN
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2)
    for (let index = 0; index < this.#size; index += 1) times[index] = this.#at(index)
    this.#times = times
    this.#head = 0
  }
}
