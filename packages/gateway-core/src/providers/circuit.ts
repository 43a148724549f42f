import { type CircuitBreakerPolicy, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'

/** When an upstream that fails is left alone. */
export interface CircuitOptions {
  /** Failures in a row that open it. @default 5 */
  readonly failures?: number
  /** How long it lets nothing through, before one call may try. @default 15 */
  readonly coolDownSeconds?: number
}

/** Keeps calls away from a place that has failed several times in a row. */
export interface Circuit {
  readonly state: 'closed' | 'open' | 'half-open'
  /** When a call may be tried again; `undefined` where one may at once. */
  readonly closedUntil: Date | undefined
  /** Runs the task and learns from its outcome. Ask {@link closedUntil} before. */
  run<T>(task: () => Promise<T>): Promise<T>
}

export interface CircuitWatch {
  /** Whether a rejection is the place's failure, or the caller's own; `undefined` where nobody waited for the place. */
  readonly isFailure: (thrown: unknown) => boolean | undefined
  readonly onOpened: () => void
  readonly onClosed: () => void
}

const names = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
} as const

export function createCircuit(
  { failures = 5, coolDownSeconds = 15 }: CircuitOptions,
  { isFailure, onOpened, onClosed }: CircuitWatch,
): Circuit {
  const coolDownMs = coolDownSeconds * 1000
  // Of a clock that no one sets: a jump of the other one would keep it open for as long.
  let endsAt = 0
  const policy: CircuitBreakerPolicy = circuitBreaker(
    handleWhen((thrown) => isFailure(thrown) ?? policy.state === CircuitState.HalfOpen),
    // How long it stays open is for `closedUntil` to say.
    { halfOpenAfter: 0, breaker: new ConsecutiveBreaker(failures) },
  )
  policy.onBreak((reason) => {
    // A try that was given up has told nothing: the next call may try at once.
    const isUndecided = 'error' in reason && isFailure(reason.error) === undefined
    endsAt = isUndecided ? 0 : performance.now() + coolDownMs
    if (!isUndecided) onOpened()
  })
  policy.onReset(onClosed)

  return {
    get state() {
      return names[policy.state]
    },
    get closedUntil() {
      if (policy.state === CircuitState.Closed) return undefined
      const leftMs = endsAt - performance.now()
      // While one call tries, the others go elsewhere: it may take minutes.
      if (policy.state === CircuitState.HalfOpen) return new Date(Date.now() + Math.max(leftMs, 1000))
      return leftMs <= 0 ? undefined : new Date(Date.now() + leftMs)
    },
    run: (task) => policy.execute(task),
  }
}
