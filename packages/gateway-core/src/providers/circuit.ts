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
  /**
   * Admits a call, during a trial after that. The caller checks {@link nextCallAt} before, and reports the outcome of the
   * call once.
   */
  enter(): CircuitCall | Promise<CircuitCall>
  /** Runs the task as an admitted call, and reports its outcome. */
  run<T>(task: () => Promise<T>): Promise<T>
}

/** A call that a circuit has admitted. */
export interface CircuitCall {
  succeeded(): void
  failed(error: unknown): void
}

export interface CircuitWatch {
  /** Returns whether a rejection counts as a failure. `undefined` where the outcome shows nothing, as after a cancellation. */
  readonly isFailure: (thrown: unknown) => boolean | undefined
  readonly onOpened: () => void
  readonly onClosed: () => void
}

export function createCircuit(
  { failures = 5, coolDownSeconds = 15 }: CircuitOptions,
  { isFailure, onOpened, onClosed }: CircuitWatch,
): Circuit {
  checkRange({ 'circuit.failures': failures }, 1, Number.MAX_SAFE_INTEGER)
  checkRange({ 'circuit.coolDownSeconds': coolDownSeconds }, 0, MAX_SECONDS)
  const coolDownMs = coolDownSeconds * 1000
  let state: Circuit['state'] = 'closed'
  let consecutive = 0
  // On the monotonic clock, because a jump of the system's clock would keep the circuit open.
  let endsAt = 0
  let trial: Promise<void> | undefined

  function open(): void {
    state = 'open'
    endsAt = performance.now() + coolDownMs
    onOpened()
  }

  function close(): void {
    state = 'closed'
    consecutive = 0
    onClosed()
  }

  const ordinary: CircuitCall = {
    succeeded: () => {
      consecutive = 0
    },
    failed: (error) => {
      if (isFailure(error) !== true) return
      consecutive += 1
      if (consecutive >= failures && state !== 'open') open()
    },
  }

  /** Its outcome counts unless an earlier call has opened the circuit again. */
  function beginTrial(): CircuitCall {
    const { promise, resolve } = Promise.withResolvers<void>()
    const conclude = (outcome: () => void) => {
      if (state === 'half-open') outcome()
      trial = undefined
      resolve()
    }
    state = 'half-open'
    trial = promise
    return {
      succeeded: () => conclude(close),
      failed: (error) => conclude(() => concludeFailed(isFailure(error))),
    }
  }

  function concludeFailed(isFailed: boolean | undefined): void {
    if (isFailed === true) open()
    else if (isFailed === false) close()
    else {
      // A cancelled trial shows nothing, so the next call may be the trial immediately.
      state = 'open'
      endsAt = 0
    }
  }

  function enter(): CircuitCall | Promise<CircuitCall> {
    if (state === 'closed') return ordinary
    return trial ? trial.then(enter) : beginTrial()
  }

  async function run<T>(task: () => Promise<T>): Promise<T> {
    const call = await enter()
    try {
      const result = await task()
      call.succeeded()
      return result
    } catch (error) {
      call.failed(error)
      throw error
    }
  }

  return {
    get state() {
      return state
    },
    get nextCallAt() {
      if (state === 'closed') return undefined
      const leftMs = endsAt - performance.now()
      // A trial may take minutes. Meanwhile all other calls use other upstreams.
      if (state === 'half-open') return new Date(Date.now() + Math.max(leftMs, 1000))
      return leftMs <= 0 ? undefined : new Date(Date.now() + leftMs)
    },
    enter,
    run,
  }
}
