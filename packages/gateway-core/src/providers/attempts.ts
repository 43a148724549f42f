import type { ModelTarget } from '../models/model-route.ts'
import type { CallLifetime } from './call-lifetime.ts'
import { type ProviderError, ProviderFailure, toProviderError } from './provider-error.ts'

export interface RetryOptions {
  /** Attempts at one upstream beyond the first. @default 1 */
  readonly retries?: number
  /** The longest wait that an upstream may ask for; beyond it the next upstream is tried. @default 5 */
  readonly maxWaitSeconds?: number
  /** The wait before a first retry where the upstream asks for none; doubled each time, and shortened at random. @default 250 */
  readonly backoffMs?: number
}

export interface AttemptsOptions extends RetryOptions {
  readonly random: () => number
  readonly onFailed: (failed: FailedAttempt) => void
  /** Told of everything that a provider threw and should not have. */
  readonly onFault: (error: unknown) => void
}

export interface FailedAttempt {
  readonly requestId: string
  readonly provider: string
  readonly model: string
  readonly error: ProviderError
}

export type Attempted<Answer> =
  | { readonly answer: Answer; readonly target: ModelTarget }
  | { readonly error: ProviderError; readonly target: ModelTarget | undefined }

/** What asks an upstream; the same for every attempt of one request. */
interface Question<Answer> {
  readonly requestId: string
  readonly lifetime: CallLifetime
  readonly firstByteMs: number | undefined
  readonly ask: (target: ModelTarget, signal: AbortSignal, abort: () => void) => Promise<Answer>
}

export type Attempts = <Answer>(
  targets: readonly ModelTarget[],
  question: Question<Answer>,
) => Promise<Attempted<Answer>>

/**
 * Asks one upstream after the other until one answers. Everything happens before the first byte of an answer. What the
 * request itself is to blame for is not tried again; where all fail, the first upstream's error is told.
 */
export function createAttempts(options: AttemptsOptions): Attempts {
  const { retries = 1, maxWaitSeconds = 5, backoffMs = 250, random, onFailed, onFault } = options

  const failed = (thrown: unknown, target: ModelTarget, requestId: string): ProviderError => {
    if (!ProviderFailure.is(thrown)) onFault(thrown)
    const error = ProviderFailure.is(thrown) ? thrown.error : brokenProvider()
    // That a client left is no failure of anybody.
    if (error.type !== 'cancelled') {
      onFailed({ requestId, provider: target.upstream.provider.id, model: target.model, error })
    }
    return error
  }

  /** `undefined` where the upstream is not to be asked again. */
  const waitBeforeRetry = (error: ProviderError, failures: number): number | undefined => {
    const seconds = error.retryAfterSeconds ?? (backoffMs / 1000) * 2 ** failures * (0.5 + random() / 2)
    return error.retryable && failures < retries && seconds <= maxWaitSeconds ? seconds * 1000 : undefined
  }

  return async <Answer>(targets: readonly ModelTarget[], question: Question<Answer>): Promise<Attempted<Answer>> => {
    const { requestId, lifetime, firstByteMs, ask } = question
    let first: Attempted<never> | undefined
    for (const target of targets) {
      const { circuit } = target.upstream
      for (let failures = 0; ; failures += 1) {
        if (circuit.closedUntil) {
          first ??= { error: circuitOpen(circuit.closedUntil), target }
          break
        }
        let error: ProviderError
        try {
          const attempt = () => lifetime.attempt((signal, abort) => ask(target, signal, abort), firstByteMs)
          return { answer: await circuit.run(attempt), target }
        } catch (thrown) {
          error = failed(thrown, target, requestId)
        }
        if (lifetime.ended) return { error: endOf(lifetime, error), target }
        if (isRequestsFault(error)) return { error, target }
        first ??= { error, target }
        const wait = waitBeforeRetry(error, failures)
        if (wait === undefined) break
        if (!(await lifetime.pause(wait))) return { error: endOf(lifetime, error), target }
      }
    }
    return first ?? { error: nobody(), target: undefined }
  }
}

/** What another upstream would refuse as well. */
function isRequestsFault(error: ProviderError): boolean {
  if (error.type === 'refused') return [400, 409, 413, 422].includes(error.status)
  return error.type === 'unsupported'
}

/** A call that ended between two attempts ended for its own reason. */
const endOf = ({ ended }: CallLifetime, error: ProviderError): ProviderError =>
  ended === 'client-left' && error.type !== 'cancelled'
    ? toProviderError({ type: 'cancelled', message: 'The client has left' })
    : error

const brokenProvider = () => toProviderError({ type: 'malformed', message: 'The provider failed', retryable: false })

const nobody = () => toProviderError({ type: 'unreachable', message: 'No upstream has this model' })

function circuitOpen(until: Date): ProviderError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000))
  return toProviderError({
    type: 'unreachable',
    message: 'The upstream has failed several times and is left alone for a moment',
    retryAfterSeconds: seconds,
  })
}
