import { type CircuitBreakerPolicy, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import { checkRange, MAX_SECONDS } from '../check-range.ts'

/**
 * When a failing upstream is no longer called. A disconnected client does not count as a failure. For providers, a
 * request counts once with all its retries, and one that the upstream refuses with a 4xx status does not count.
 */
export interface CircuitOptions {
  /** The consecutive failures that open the circuit, at least 1. @default 5 */
  readonly failures?: number
  /** How long the open circuit refuses all calls before it admits one, from 0 to 1,000,000,000. @default 15 */
  readonly coolDownSeconds?: number
}

/** A circuit breaker, which refuses calls after several consecutive failures. */
export interface Circuit {
  readonly state: 'closed' | 'open' | 'half-open'
  /** The earliest time of the next call. `undefined` where a call is admitted now. */
  readonly nextCallAt: Date | undefined
  /** Runs the task and counts its outcome. The caller checks {@link nextCallAt} before. */
  run<T>(task: () => Promise<T>): Promise<T>
}

export interface CircuitWatch {
  /** Returns whether a rejection counts as a failure. `undefined` where the outcome shows nothing, as after a cancellation. */
  readonly isFailure: (thrown: unknown) => boolean | undefined
  readonly onOpened: () => void
  readonly onClosed: () => void
}

const stateNames = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
} as const

export function createCircuit(
  { failures = 5, coolDownSeconds = 15 }: CircuitOptions,
  { isFailure, onOpened, onClosed }: CircuitWatch,
): Circuit {
  checkRange({ 'circuit.failures': failures }, 1, Number.MAX_SAFE_INTEGER)
  checkRange({ 'circuit.coolDownSeconds': coolDownSeconds }, 0, MAX_SECONDS)
  const coolDownMs = coolDownSeconds * 1000
  // On the monotonic clock, because a jump of the system's clock would keep the circuit open.
  let endsAt = 0
  const policy: CircuitBreakerPolicy = circuitBreaker(
    handleWhen((thrown) => isFailure(thrown) ?? policy.state === CircuitState.HalfOpen),
    // `closedUntil` decides how long the circuit stays open.
    { halfOpenAfter: 0, breaker: new ConsecutiveBreaker(failures) },
  )
  policy.onBreak((reason) => {
    // A cancelled trial shows nothing, so the next call may be the trial immediately.
    const isInconclusive = 'error' in reason && isFailure(reason.error) === undefined
    endsAt = isInconclusive ? 0 : performance.now() + coolDownMs
    if (!isInconclusive) onOpened()
  })
  policy.onReset(onClosed)
  let isClean = true
  const execute = async <T>(task: () => Promise<T>): Promise<T> => {
    const answer = await policy.execute(task)
    isClean = policy.state === CircuitState.Closed
    return answer
  }

  return {
    get state() {
      return stateNames[policy.state]
    },
    get nextCallAt() {
      if (policy.state === CircuitState.Closed) return undefined
      const leftMs = endsAt - performance.now()
      // A trial may take minutes. Meanwhile all other calls use other upstreams.
      if (policy.state === CircuitState.HalfOpen) return new Date(Date.now() + Math.max(leftMs, 1000))
      return leftMs <= 0 ? undefined : new Date(Date.now() + leftMs)
    },
    run: async (task) => {
      // As long as nothing has failed, the policy has nothing to count.
      if (!isClean) return execute(task)
      let answer: Awaited<ReturnType<typeof task>>
      try {
        answer = await task()
      } catch (thrown) {
        isClean = false
        if (policy.state === CircuitState.Closed)
          await policy.execute(() => Promise.reject(thrown)).catch(() => undefined)
        throw thrown
      }
      if (!isClean && policy.state === CircuitState.Closed) await execute(() => Promise.resolve(answer))
      return answer
    },
  }
}
