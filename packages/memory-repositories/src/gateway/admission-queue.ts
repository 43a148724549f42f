import { CLOCK_SKEW_MS, RATE_WINDOW_MS } from '@trivium/gateway-core/ports'

/**
 * The admissions of one key that are in the window, oldest first, in a ring that grows with them. Times are of the clock
 * that is ahead of the others; a late one has a shift, by which the queue is ahead of it.
 */
export class AdmissionQueue {
  #times = new Float64Array(8)
  #head = 0
  #size = 0
  /** The time of the last admission, expired or not. */
  last = Number.NEGATIVE_INFINITY
  /** When it was last put after all others. */
  placedAt = Number.NEGATIVE_INFINITY
  /** That of the clock that asked last, where it is late. */
  shift = 0

  get size(): number {
    return this.#size
  }

  /** How far the queue is ahead of a clock; 0 for one that is not late. */
  shiftOf(now: number): number {
    return this.last - now > CLOCK_SKEW_MS ? Math.max(this.shift, this.last - now) : 0
  }

  /** The time that counts: `now` on the clock of the queue, or the last admission's where that is later. */
  timeOf(now: number): number {
    return Math.max(now + this.shiftOf(now), this.last)
  }

  /** How many are in the window then. */
  countAt(time: number): number {
    let first = 0
    for (let end = this.#size; first < end; ) {
      const middle = (first + end) >>> 1
      if (time - this.#at(middle) < RATE_WINDOW_MS) end = middle
      else first = middle + 1
    }
    return this.#size - first
  }

  /** Forgets what has left the window by then. */
  expire(time: number): void {
    while (this.#size > 0 && time - this.#at(0) >= RATE_WINDOW_MS) {
      this.#head = (this.#head + 1) % this.#times.length
      this.#size -= 1
    }
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
