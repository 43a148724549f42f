import { type FailureKind, upstreamFailures } from './failure-kind.ts'
import type { ModelTarget } from './model-route.ts'

/** The models of one request that are left to try. */
export class TargetQueue {
  readonly #targets: readonly ModelTarget[]
  #next = 0
  /** What has failed since the request itself was refused last. */
  readonly #failures = new Set<FailureKind>()
  #isFirst = true

  constructor(targets: readonly ModelTarget[]) {
    this.#targets = targets
  }

  /** Returns the next model. The first one is tried regardless of its conditions. */
  next(): ModelTarget | undefined {
    while (this.#next < this.#targets.length) {
      const target = this.#targets[this.#next]
      this.#next += 1
      if (!target || !(this.#isFirst || isTried(target, this.#failures))) continue
      this.#isFirst = false
      return target
    }
    return undefined
  }

  /** Returns whether a further model would be tried after such a failure. */
  hasNextAfter(kind: FailureKind): boolean {
    if (this.#next >= this.#targets.length) return false
    const failures = upstreamFailures.has(kind) ? new Set([...this.#failures, kind]) : new Set([kind])
    return this.#targets.slice(this.#next).some((target) => isTried(target, failures))
  }

  /** @returns whether a further model is tried */
  failed(kind: FailureKind | undefined): boolean {
    if (kind === undefined) return false
    // Others would refuse the request, too, except those that are meant for it.
    if (!upstreamFailures.has(kind)) this.#failures.clear()
    this.#failures.add(kind)
    return this.#targets.slice(this.#next).some((target) => isTried(target, this.#failures))
  }
}

function isTried({ on = upstreamFailures }: ModelTarget, failures: ReadonlySet<FailureKind>): boolean {
  for (const kind of failures) if (on.has(kind)) return true
  return false
}
