import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'

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
  /** Whether a rejection is the place's failure, or the caller's own. */
  readonly isFailure: (thrown: unknown) => boolean
  readonly onOpened: () => void
  readonly onClosed: () => void
}

const NAMES = {
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
  let openedAt = 0
  const policy = circuitBreaker(handleWhen(isFailure), {
    halfOpenAfter: coolDownMs,
    breaker: new ConsecutiveBreaker(failures),
  })
  policy.onBreak(() => {
    openedAt = Date.now()
    onOpened()
  })
  policy.onReset(onClosed)

  return {
    get state() {
      return NAMES[policy.state]
    },
    get closedUntil() {
      if (policy.state === CircuitState.Closed) return undefined
      const end = openedAt + coolDownMs
      // While one call tries, the others go elsewhere: it may take minutes.
      if (policy.state === CircuitState.HalfOpen) return new Date(Math.max(end, Date.now() + 1000))
      return end <= Date.now() ? undefined : new Date(end)
    },
    run: (task) => policy.execute(task),
  }
}
