import { CLOCK_SKEW_MS, RATE_WINDOW_MS } from '../rate-limits/rate-limiter.ts'

/**
 * The admissions of one key in the window, oldest first, in a ring that grows with them. Times are those of the fastest
 * clock. For a late clock, a shift states by how much the queue is ahead of it. All times are in milliseconds.
 */
export class AdmissionQueue {
  #times = new Float64Array(8)
  #head = 0
  #size = 0
  /** The time of the last admission, expired or not. */
  last = Number.NEGATIVE_INFINITY
  /** When the queue was last moved after all others. */
  movedAt = Number.NEGATIVE_INFINITY
  /** The shift of the clock of the last request. 0 where that clock is not late. */
  shift = 0

  get size(): number {
    return this.#size
  }

  /** By how much the queue is ahead of a clock. 0 where the clock is not late. */
  shiftOf(now: number): number {
    return this.last - now > CLOCK_SKEW_MS ? Math.max(this.shift, this.last - now) : 0
  }

  /** Converts `now` to the clock of the queue. Never before the last admission. */
  timeOf(now: number): number {
    return Math.max(now + this.shiftOf(now), this.last)
  }

  /** The number of admissions in the window at that time. */
  countAt(time: number): number {
    let first = 0
    for (let end = this.#size; first < end; ) {
      const middle = (first + end) >>> 1
      if (time - this.#at(middle) < RATE_WINDOW_MS) end = middle
      else first = middle + 1
    }
    return this.#size - first
  }

  /** Removes admissions that have left the window by that time. */
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

  /** The time of the `count`-th last admission. */
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
