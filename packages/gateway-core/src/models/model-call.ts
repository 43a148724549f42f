import { err, ok, type Result } from 'neverthrow'
import type { TokenReservation } from '../budgets/token-budgets.ts'
import { attempt } from '../providers/attempt.ts'
import type { CallEnd, CallLifetime } from '../providers/call-lifetime.ts'
import { CLIENT_LEFT, statusOf } from '../providers/error-status.ts'
import type { FailedAttempt } from '../providers/failed-attempt.ts'
import type { ModelCircuit } from '../providers/model-circuits.ts'
import type { Provider, ProviderContext, ProviderModel } from '../providers/provider.ts'
import { type ProviderError, ProviderFailure, toProviderError } from '../providers/provider-error.ts'
import { isRequestsFault, type WaitBeforeRetry } from '../providers/retries.ts'
import type { RequestAccount, RequestResult } from '../usage/request-book.ts'
import type { ModelCallError } from './model-call-error.ts'
import type { ModelTarget } from './model-route.ts'

/** What one model is asked for. */
export interface ModelCallRequest<Service> {
  readonly kind: ProviderModel['kind']
  /** The part of a provider that answers. */
  readonly serviceOf: (provider: Provider) => Service | undefined
  readonly model: string
  readonly streamed: boolean
  /** The most that it may cost; asked only where the caller has a budget. */
  readonly estimateTokens: () => number
  /** @default the gateway's */
  readonly timeoutSeconds: number | undefined
}

/** The same for all calls. */
export interface ModelCallParts {
  readonly connectTimeoutMs: number
  readonly waitBeforeRetry: WaitBeforeRetry
  readonly onFailed: (failed: FailedAttempt) => void
  /** Called with everything that a provider threw and should not have. */
  readonly onFault: (error: unknown) => void
}

/** What was granted to one call. */
export interface ModelCallGrant {
  readonly requestId: string
  /** A key's id, or the type of another caller. */
  readonly caller: string
  /** Best first. */
  readonly targets: readonly ModelTarget[]
  readonly lifetime: CallLifetime
  readonly account: RequestAccount
  readonly reservation: TokenReservation
}

/** Asks an upstream's service for its own `model`. `abort` ends the upstream call, also when the answer has begun. */
type Ask<Service, Answer> = (
  service: Service,
  model: string,
  context: ProviderContext,
  abort: () => void,
) => Promise<Answer>

interface Answered<Answer> {
  readonly answer: Answer
  /** The provider's id. */
  readonly provider: string
}

interface Failed {
  readonly target: ModelTarget | undefined
  readonly error: ProviderError
}

/** A request that was let in. It is asked once; what has answered must be settled, on every way out. */
export class ModelCall<Service> {
  readonly #parts: ModelCallParts
  readonly #request: ModelCallRequest<Service>
  readonly #grant: ModelCallGrant

  constructor(parts: ModelCallParts, request: ModelCallRequest<Service>, grant: ModelCallGrant) {
    this.#parts = parts
    this.#request = request
    this.#grant = grant
  }

  /**
   * Asks one upstream after the other until one answers. Everything happens before the first byte of an answer. What the
   * request itself is to blame for is not tried again; where all fail, the first upstream's error is answered, and the call
   * is settled.
   */
  async ask<Answer>(
    ask: Ask<Service, Answer>,
    firstByteMs?: number,
  ): Promise<Result<Answered<Answer>, ModelCallError>> {
    const { targets, caller, lifetime, account } = this.#grant
    let first: Failed | undefined
    for (const target of targets) {
      const { circuits, provider } = target.upstream
      const circuit = circuits.of(target.model)
      if (circuit.closedUntil) {
        first ??= { error: circuitOpen(circuit.closedUntil), target }
        continue
      }
      try {
        // All attempts of one request are one call to the circuit: a request that breaks an upstream counts once.
        const answer = await circuit.run(caller, () => this.#attempts(target, circuit, ask, firstByteMs))
        account.provider = provider.id
        return ok({ answer, provider: provider.id })
      } catch (thrown) {
        const error = errorOf(thrown)
        if (lifetime.ended) return this.#fail({ error: endOf(lifetime, error), target })
        if (isRequestsFault(error)) return this.#fail({ error, target })
        first ??= { error, target }
      }
    }
    return this.#fail(first ?? { error: noUpstream(), target: undefined })
  }

  /** Asks one upstream until it answers or is not to be asked again. @throws what the last attempt ended with */
  async #attempts<Answer>(
    target: ModelTarget,
    circuit: Pick<ModelCircuit, 'closedUntil'>,
    ask: Ask<Service, Answer>,
    firstByteMs: number | undefined,
  ): Promise<Answer> {
    const { lifetime } = this.#grant
    for (let failures = 0; ; failures += 1) {
      try {
        return await attempt({
          lifetime,
          firstByteMs,
          ask: async (signal, abort) => ask(this.#serviceOf(target), target.model, this.#contextOf(signal), abort),
        })
      } catch (thrown) {
        this.#report(thrown, target)
        const error = errorOf(thrown)
        const wait = lifetime.ended || isRequestsFault(error) ? undefined : this.#parts.waitBeforeRetry(error, failures)
        if (wait === undefined || !(await lifetime.pause(wait)) || circuit.closedUntil) throw thrown
      }
    }
  }

  /** The answer streams from here on: an end of the call interrupts the stream. */
  begin(onEnd: (end: CallEnd) => void): void {
    this.#grant.account.firstByte()
    this.#grant.lifetime.interrupts = onEnd
  }

  /** Gives the reservation back and closes the books. */
  settle(result: RequestResult): void {
    const { lifetime, account, reservation } = this.#grant
    lifetime.finish()
    reservation.settle((result.inputTokens ?? 0) + (result.outputTokens ?? 0))
    account.close(result)
  }

  /** @throws ProviderFailure where the provider has no such service */
  #serviceOf({ upstream, model }: ModelTarget): Service {
    const { kind, serviceOf } = this.#request
    const service = serviceOf(upstream.provider)
    if (service) return service
    throw new ProviderFailure({
      type: 'refused',
      status: 404,
      code: 'model_not_found',
      param: 'model',
      message: `The model '${model}' ${kind === 'chat' ? 'does not chat' : 'makes no pictures'}`,
    })
  }

  #contextOf(signal: AbortSignal): ProviderContext {
    const { requestId, account } = this.#grant
    return { requestId, signal, headers: account.headers, connectTimeoutMs: this.#parts.connectTimeoutMs }
  }

  #report(thrown: unknown, { upstream, model }: ModelTarget): void {
    const { onFailed, onFault } = this.#parts
    if (!ProviderFailure.is(thrown)) onFault(thrown)
    const error = errorOf(thrown)
    // That a client left is a failure of no one.
    if (error.type !== 'cancelled') {
      onFailed({ requestId: this.#grant.requestId, provider: upstream.provider.id, model, error })
    }
  }

  #fail<Answer>({ error, target }: Failed): Result<Answer, ModelCallError> {
    const { lifetime, account } = this.#grant
    const provider = target?.upstream.provider.id
    account.provider = provider
    const status = lifetime.ended === 'client-left' ? CLIENT_LEFT : statusOf(error)
    this.settle({ status, errorType: error.type })
    return err({ type: 'upstream-failed', provider, error })
  }
}

/** A call that ended between two attempts ended for its own reason. */
const endOf = ({ ended }: CallLifetime, error: ProviderError): ProviderError =>
  ended === 'client-left' && error.type !== 'cancelled'
    ? toProviderError({ type: 'cancelled', message: 'The client has left' })
    : error

const errorOf = (thrown: unknown): ProviderError => (ProviderFailure.is(thrown) ? thrown.error : brokenProvider())

const brokenProvider = () => toProviderError({ type: 'malformed', message: 'The provider failed', retryable: false })

const noUpstream = () => toProviderError({ type: 'unreachable', message: 'No upstream has this model' })

function circuitOpen(until: Date): ProviderError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000))
  return toProviderError({
    type: 'unreachable',
    message: 'The model has failed several times and is not asked for some seconds',
    retryAfterSeconds: seconds,
  })
}
