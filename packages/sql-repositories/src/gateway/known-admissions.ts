import { type AdmissionMark, AdmissionQueue, type RateDecision } from '@trivium/gateway-core/ports'
import type { AdmissionRow } from './gateway-tables.ts'

/** How many numbers of entries are between two places of the log at which older ones may be removed. */
const REMOVAL_STEP = 64

/** A request to decide. */
export interface RateCall {
  readonly limit: number
  /** Milliseconds. */
  readonly now: number
  /** Whether it is counted where it is admitted. */
  readonly counts: boolean
}

/** What calls of one account would result in. */
export interface Attempt<Call> {
  readonly decided: readonly (readonly [call: Call, decision: RateDecision])[]
  /** Calls that have to be decided later. */
  readonly left: readonly Call[]
  /** The entry that makes it so. Absent where nothing changes. */
  readonly entry: Omit<AdmissionRow, 'key_id' | 'writer'> | undefined
}

/** What a process knows of the log of one account. */
export class KnownAdmissions {
  readonly #queue = new AdmissionQueue()
  #number = 0
  #removable: { readonly number: number; readonly at: number }[] = []
  #mark: AdmissionMark | undefined

  /** The number of the newest entry that is known. */
  get number(): number {
    return this.#number
  }

  /** Adds an entry of the log. */
  add({ number, at, count, shift }: Omit<AdmissionRow, 'key_id' | 'writer'>): void {
    this.#queue.add(at, count, shift)
    this.#seen(number, at)
    this.#queue.trim()
  }

  /** Entries before this number have left the window. */
  removableBefore(number: number): void {
    this.#removable.unshift({ number, at: Number.NEGATIVE_INFINITY })
  }

  /**
   * Decides calls, in this order, until one has another time than those that were admitted, so that one entry describes
   * them. `confirm` or `reject` has to follow.
   */
  attempt<Call extends RateCall>(calls: readonly Call[]): Attempt<Call> {
    const queue = this.#queue
    this.#mark = queue.mark()
    const { shift } = queue
    const decided: (readonly [Call, RateDecision])[] = []
    let count = 0
    for (const call of calls) {
      const before = queue.mark()
      const decision = call.counts
        ? queue.admit(call.limit, call.now)
        : { admitted: false, ...queue.state(call.limit, call.now) }
      if (count > 0 && (queue.last !== before.last || queue.shift !== before.shift)) {
        queue.return(before)
        break
      }
      if (decision.admitted) count += 1
      decided.push([call, decision])
    }
    const hasChanged = count > 0 || queue.shift !== shift
    return {
      decided,
      left: calls.slice(decided.length),
      entry: hasChanged ? { number: this.#number + 1, at: queue.last, count, shift: queue.shift } : undefined,
    }
  }

  /** The entry of the last attempt is in the log. */
  confirm(entry: Attempt<RateCall>['entry']): void {
    if (entry) this.#seen(entry.number, entry.at)
    this.#queue.trim()
  }

  /** The entry of the last attempt is not in the log. */
  reject(): void {
    if (this.#mark) this.#queue.return(this.#mark)
  }

  /** Returns the number before which entries can be removed, once. */
  takeRemovable(): number | undefined {
    const expired = this.#removable.filter(({ at }) => this.#queue.hasExpired(at))
    this.#removable = this.#removable.slice(expired.length)
    return expired.at(-1)?.number
  }

  #seen(number: number, at: number): void {
    this.#number = number
    if (number % REMOVAL_STEP === 0) this.#removable.push({ number, at })
  }
}
