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

  async function call<T>(task: () => Promise<T>): Promise<T> {
    try {
      const result = await task()
      consecutive = 0
      return result
    } catch (error) {
      if (isFailure(error) === true) {
        consecutive += 1
        if (consecutive >= failures && state !== 'open') open()
      }
      throw error
    }
  }

  /** Its outcome counts unless an earlier call has opened the circuit again. */
  async function tryOnce<T>(task: () => Promise<T>): Promise<T> {
    state = 'half-open'
    try {
      const result = await task()
      if (state === 'half-open') close()
      return result
    } catch (error) {
      if (state === 'half-open') concludeFailed(isFailure(error))
      throw error
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

  function run<T>(task: () => Promise<T>): Promise<T> {
    if (state === 'closed') return call(task)
    if (trial) return trial.then(() => run(task))
    const trying = tryOnce(task)
    const end = () => {
      trial = undefined
    }
    trial = trying.then(end, end)
    return trying
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
    run,
  }
}
