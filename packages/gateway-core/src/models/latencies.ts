import { idOfTarget, type ModelTarget } from './model-route.ts'

/** The weight of a new measurement in the average. */
const SHARE = 0.3

/** After this time a model is measured again. */
const STALE_MS = 300_000

/** A model is measured by one request in this time, so that a slow one does not get many. */
const TRIAL_MS = 10_000

/** The most models that are measured. The one that was measured first is removed first. */
const MAX_MODELS = 1_000

/** How fast models answer: until the first event of a stream, and until a whole answer. */
export class Latencies {
  readonly #measured = new Map<string, Measured>()

  /** Returns the average in milliseconds; `undefined` where it should be measured. */
  of(target: ModelTarget, streamed: boolean): number | undefined {
    const measured = this.#measured.get(keyOf(target, streamed))
    if (!measured || performance.now() - measured.at > STALE_MS) return undefined
    return measured.average
  }

  /** Returns whether no request measures the model now. */
  isTrialDue(target: ModelTarget, streamed: boolean): boolean {
    const { trialAt } = this.#measured.get(keyOf(target, streamed)) ?? {}
    return trialAt === undefined || performance.now() - trialAt >= TRIAL_MS
  }

  /** A request is about to measure the model. */
  beginTrial(target: ModelTarget, streamed: boolean): void {
    this.#at(keyOf(target, streamed)).trialAt = performance.now()
  }

  /** @param milliseconds the duration of an answer, or of a failure, which counts more */
  record(target: ModelTarget, streamed: boolean, milliseconds: number): void {
    const measured = this.#at(keyOf(target, streamed))
    const now = performance.now()
    const isKnown = now - measured.at <= STALE_MS
    measured.average = isKnown ? measured.average + SHARE * (milliseconds - measured.average) : milliseconds
    measured.at = now
    measured.trialAt = undefined
  }

  #at(key: string): Measured {
    const found = this.#measured.get(key)
    if (found) return found
    const added: Measured = { average: 0, at: Number.NEGATIVE_INFINITY, trialAt: undefined }
    this.#measured.set(key, added)
    if (this.#measured.size > MAX_MODELS) this.#measured.delete(this.#measured.keys().next().value ?? key)
    return added
  }
}

interface Measured {
  average: number
  at: number
  trialAt: number | undefined
}

const keyOf = (target: ModelTarget, streamed: boolean): string => `${streamed ? 's' : 'w'} ${idOfTarget(target)}`
