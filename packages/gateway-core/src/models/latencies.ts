import type { Upstream } from '../providers/upstream.ts'
import type { ModelTarget } from './model-route.ts'

/** The weight of a new measurement in the average. */
const SHARE = 0.3

/** After this time a model is measured again. */
const STALE_MS = 300_000

/** A model is measured by one request in this time, so that a slow one does not get many. */
const TRIAL_MS = 10_000

/** The most models of an upstream that are measured. The one that was measured first is removed first. */
const MAX_MODELS = 1_000

/** How fast models answer: until the first event of a stream, and until a whole answer. */
export class Latencies {
  readonly #measured = new Map<Upstream, { readonly whole: Measurements; readonly streamed: Measurements }>()

  /** Returns the average in milliseconds; `undefined` where it should be measured. */
  of(target: ModelTarget, streamed: boolean): number | undefined {
    const measured = this.#of(target, streamed).get(target.model)
    if (!measured || performance.now() - measured.at > STALE_MS) return undefined
    return measured.average
  }

  /** Returns whether no request measures the model now. */
  isTrialDue(target: ModelTarget, streamed: boolean): boolean {
    const { trialAt } = this.#of(target, streamed).get(target.model) ?? {}
    return trialAt === undefined || performance.now() - trialAt >= TRIAL_MS
  }

  /** A request is about to measure the model. */
  beginTrial(target: ModelTarget, streamed: boolean): void {
    this.#at(target, streamed).trialAt = performance.now()
  }

  /** @param milliseconds the duration of an answer, or of a failure, which counts more */
  record(target: ModelTarget, streamed: boolean, milliseconds: number): void {
    const measured = this.#at(target, streamed)
    const now = performance.now()
    const isKnown = now - measured.at <= STALE_MS
    measured.average = isKnown ? measured.average + SHARE * (milliseconds - measured.average) : milliseconds
    measured.at = now
    measured.trialAt = undefined
  }

  #of({ upstream }: ModelTarget, streamed: boolean): Measurements {
    let found = this.#measured.get(upstream)
    if (!found) {
      found = { whole: new Map(), streamed: new Map() }
      this.#measured.set(upstream, found)
    }
    return streamed ? found.streamed : found.whole
  }

  #at(target: ModelTarget, streamed: boolean): Measured {
    const measurements = this.#of(target, streamed)
    const { model } = target
    const found = measurements.get(model)
    if (found) return found
    const added: Measured = { average: 0, at: Number.NEGATIVE_INFINITY, trialAt: undefined }
    measurements.set(model, added)
    if (measurements.size > MAX_MODELS) measurements.delete(measurements.keys().next().value ?? model)
    return added
  }
}

/** By the upstream's own id of the model. */
type Measurements = Map<string, Measured>

interface Measured {
  average: number
  at: number
  trialAt: number | undefined
}
