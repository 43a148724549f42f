import { CLOCK_SKEW_MS, RATE_WINDOW_MS, type RateDecision, type RateState } from './rate-limiter.ts'

/** A state of a queue, to which it can return until it is trimmed. */
export interface AdmissionMark {
  readonly first: number
  readonly size: number
  readonly last: number
  readonly shift: number
}

/**
 * The admissions of one account in the window, oldest first, in a ring that grows with them. Times are those of the fastest
 * clock. For a late clock, a shift states by how much the queue is ahead of it. All times are in milliseconds.
 */
export class AdmissionQueue {
  #times = new Float64Array(8)
  #head = 0
  #size = 0
  /** The number of admissions at the front that count no longer, since the counting has started again after them. */
  #first = 0
  /** The time of the last admission, expired or not. */
  #last = Number.NEGATIVE_INFINITY
  /** The shift of the clock of the last request. 0 where that clock is not late. */
  #shift = 0

  get last(): number {
    return this.#last
  }

  get shift(): number {
    return this.#shift
  }

  /** Decides one request as a `RateLimiter` does, and counts it where it is admitted. */
  admit(limit: number, now: number): RateDecision {
    const shift = this.#shiftOf(now)
    const time = this.#timeOf(now)
    const counting = this.#countAt(time)
    if (counting >= limit) {
      if (shift > 0) this.#shift = shift
      return { admitted: false, ...this.state(limit, now) }
    }
    if (counting === 0) this.#first = this.#size
    this.add(counting === 0 ? now : time, 1)
    this.#shift = counting === 0 ? 0 : shift
    return { admitted: true, ...this.state(limit, now) }
  }

  state(limit: number, now: number): RateState {
    const counting = Math.min(this.#countAt(this.#timeOf(now)), limit)
    const resetAt = counting === 0 ? now : this.#at(this.#size - counting) + RATE_WINDOW_MS - this.#shiftOf(now)
    return { limit, remaining: limit - counting, resetAt: new Date(resetAt) }
  }

  /** Adds admissions that were decided elsewhere. @param time not before the last one, where that still counts */
  add(time: number, count: number, shift = 0): void {
    if (time < this.#last) this.#first = this.#size
    for (let left = count; left > 0; left -= 1) {
      if (this.#size === this.#times.length) this.#grow()
      this.#times[(this.#head + this.#size) % this.#times.length] = time
      this.#size += 1
    }
    this.#last = time
    this.#shift = shift
  }

  /** Whether an admission at that time counts no longer, at any later time. */
  hasExpired(time: number): boolean {
    return this.#last - time >= RATE_WINDOW_MS
  }

  mark(): AdmissionMark {
    return { first: this.#first, size: this.#size, last: this.#last, shift: this.#shift }
  }

  /** Removes what was added since. The queue was not trimmed in between. */
  return({ first, size, last, shift }: AdmissionMark): void {
    this.#first = first
    this.#size = size
    this.#last = last
    this.#shift = shift
  }

  /** Removes admissions that have left the window, in constant time for each. Later times never count them again. */
  trim(): void {
    while (this.#size > 0 && (this.#first > 0 || this.hasExpired(this.#at(0)))) {
      this.#head = (this.#head + 1) % this.#times.length
      this.#size -= 1
      if (this.#first > 0) this.#first -= 1
    }
  }

  /** By how much the queue is ahead of a clock. 0 where the clock is not late. */
  #shiftOf(now: number): number {
    return this.#last - now > CLOCK_SKEW_MS ? Math.max(this.#shift, this.#last - now) : 0
  }

  /** Converts `now` to the clock of the queue. Never before the last admission. */
  #timeOf(now: number): number {
    return Math.max(now + this.#shiftOf(now), this.#last)
  }

  /** The number of admissions in the window at that time. */
  #countAt(time: number): number {
    let first = this.#first
    for (let end = this.#size; first < end; ) {
      const middle = (first + end) >>> 1
      if (time - this.#at(middle) < RATE_WINDOW_MS) end = middle
      else first = middle + 1
    }
    return this.#size - first
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
