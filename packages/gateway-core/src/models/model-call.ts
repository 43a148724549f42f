import { err, ok, type Result } from 'neverthrow'
import type { TokenReservation } from '../budgets/token-budgets.ts'
import type { AnswerUsage } from '../chat/answer-usage.ts'
import { TranslationFailure } from '../dialects/answering/translation-failure.ts'
import { attempt } from '../providers/attempt.ts'
import type { CallEnd, CallLifetime } from '../providers/call-lifetime.ts'
import { CLIENT_DISCONNECTED, statusOf } from '../providers/error-status.ts'
import type { FailedAttempt } from '../providers/failed-attempt.ts'
import type { ModelCircuit } from '../providers/model-circuits.ts'
import type { Provider, ProviderContext, ProviderModel } from '../providers/provider.ts'
import {
  type ProviderError,
  type ProviderErrorInit,
  ProviderFailure,
  toProviderError,
} from '../providers/provider-error.ts'
import { isRequestError, type WaitBeforeRetry } from '../providers/retries.ts'
import type { RequestAccount, RequestResult } from '../usage/request-accounts.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import type { ModelCallError } from './model-call-error.ts'
import type { ModelTarget } from './model-route.ts'

/** A request to one model. */
export interface ModelCallRequest<Service> {
  readonly kind: ProviderModel['kind']
  /** The operation of the usage record. @default `kind` */
  readonly operation?: UsageRecord['operation']
  /** What the models are for, in the message where a provider has no such service. */
  readonly purpose: string
  /** Replaces the models that `model` leads to, for requests that name a provider. */
  readonly targets?: readonly ModelTarget[]
  /** Whether the request can be sent again. Asked after each failed attempt. @default always */
  readonly isRepeatable?: () => boolean
  /** Returns the part of a provider that serves the request. */
  readonly serviceOf: (provider: Provider) => Service | undefined
  readonly model: string
  readonly streamed: boolean
  /** Returns the most tokens that the request may use. Called only where the caller has a budget. */
  readonly estimateTokens: () => number
  /** The field that limits the output, which an error names. Absent for requests without output tokens. */
  readonly outputParam?: string
  /** Returns the tokens that an upstream has read before its answer. Called only where the client ends the call there. */
  readonly estimateInput: () => number
  /**
   * Returns the usage of upstreams' answers that were needed before the last one, which is paid for where that one fails.
   *
   * @default none
   */
  readonly spent?: () => AnswerUsage | undefined
  /** @default `totalSeconds` of the gateway */
  readonly timeoutSeconds: number | undefined
}

/** What all calls share. */
export interface ModelCallParts {
  readonly connectTimeoutMs: number
  readonly waitBeforeRetry: WaitBeforeRetry
  readonly onFailed: (failed: FailedAttempt) => void
  /** Receives every error of a provider that is not a `ProviderFailure`. */
  readonly onFault: (error: unknown) => void
}

/** What an admitted call has been granted. */
export interface ModelCallGrant {
  readonly requestId: string
  /** The id of the key's or the user's account, or the type of another caller. */
  readonly caller: string
  /** In the order in which they are tried. */
  readonly targets: readonly ModelTarget[]
  readonly lifetime: CallLifetime
  readonly account: RequestAccount
  readonly reservation: TokenReservation
}

/** Calls an upstream's service with the upstream's own `model`. `abort` ends the call even after the answer has started. */
type UpstreamCall<Service, Answer> = (
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

/** An admitted request. {@link send} is called once. After a success the caller must always call {@link settle}. */
export class ModelCall<Service> {
  readonly #parts: ModelCallParts
  readonly #request: ModelCallRequest<Service>
  readonly #grant: ModelCallGrant
  /** Whether the call ended while an upstream worked on it. */
  #interrupted = false

  constructor(parts: ModelCallParts, request: ModelCallRequest<Service>, grant: ModelCallGrant) {
    this.#parts = parts
    this.#request = request
    this.#grant = grant
  }

  /**
   * Calls one upstream after the other until one answers. All attempts end before the first byte of an answer. An error
   * that the request itself causes is not retried. If all upstreams fail, this settles the call and returns the error of
   * the first one. Failures of upstreams cost nothing, except answers before them that the request needed. A client that ends the call while an upstream works on it pays for
   * its input, as it does after the first byte: reading long prompts would be free otherwise.
   */
  async send<Answer>(
    send: UpstreamCall<Service, Answer>,
    firstByteMs?: number,
  ): Promise<Result<Answered<Answer>, ModelCallError>> {
    const { targets, caller, lifetime, account } = this.#grant
    let first: Failed | undefined
    for (const target of targets) {
      const { circuits, provider } = target.upstream
      const circuit = circuits.of(target.model)
      if (circuit.nextCallAt) {
        first ??= { error: circuitOpen(circuit.nextCallAt), target }
        continue
      }
      try {
        // One call of the circuit for all attempts: a request that always fails counts as one failure.
        const answer = await circuit.run(caller, () => this.#attempts(target, circuit, send, firstByteMs))
        account.provider = provider.id
        return ok({ answer, provider: provider.id })
      } catch (thrown) {
        const error = errorOf(thrown)
        if (lifetime.ended) return this.#fail({ error: endOf(lifetime, error), target })
        if (!this.#isRepeatable()) return this.#fail({ error, target })
        // An upstream of another dialect may take what the dialect of this one cannot carry.
        if (isRequestError(error) && !(thrown instanceof TranslationFailure)) return this.#fail({ error, target })
        first ??= { error, target }
      }
    }
    return this.#fail(first ?? { error: noUpstream(), target: undefined })
  }

  /** Calls one upstream until it answers or must not be retried. @throws the error of the last attempt */
  async #attempts<Answer>(
    target: ModelTarget,
    circuit: Pick<ModelCircuit, 'nextCallAt'>,
    send: UpstreamCall<Service, Answer>,
    firstByteMs: number | undefined,
  ): Promise<Answer> {
    const { lifetime } = this.#grant
    for (let failures = 0; ; failures += 1) {
      try {
        return await attempt({
          lifetime,
          firstByteMs,
          send: async (signal, abort) => send(this.#serviceOf(target), target.model, this.#contextOf(signal), abort),
          onInterrupted: () => {
            this.#interrupted = true
          },
        })
      } catch (thrown) {
        this.#report(thrown, target)
        const error = errorOf(thrown)
        const isFinal = lifetime.ended || isRequestError(error) || !this.#isRepeatable()
        const wait = isFinal ? undefined : this.#parts.waitBeforeRetry(error, failures)
        if (wait === undefined || !(await lifetime.pause(wait)) || circuit.nextCallAt) throw thrown
      }
    }
  }

  /** Marks the start of a stream. From here on, an end of the call interrupts the stream. */
  begin(onEnd: (end: CallEnd) => void): void {
    const { account, lifetime } = this.#grant
    account.firstByte()
    lifetime.started()
    lifetime.onInterrupt = onEnd
  }

  /** Settles the reservation and writes the usage record. */
  settle(result: RequestResult): void {
    const { lifetime, account, reservation } = this.#grant
    lifetime.finish()
    reservation.settle((result.inputTokens ?? 0) + (result.outputTokens ?? 0))
    account.close(result)
  }

  #isRepeatable(): boolean {
    return this.#request.isRepeatable?.() ?? true
  }

  /** @throws ProviderFailure where the provider has no such service */
  #serviceOf({ upstream, model }: ModelTarget): Service {
    const { serviceOf, purpose } = this.#request
    const service = serviceOf(upstream.provider)
    if (service) return service
    throw new ProviderFailure(serviceAbsent(model, purpose))
  }

  #contextOf(signal: AbortSignal): ProviderContext {
    const { requestId, account } = this.#grant
    return { requestId, signal, headers: account.headers, connectTimeoutMs: this.#parts.connectTimeoutMs }
  }

  #report(thrown: unknown, { upstream, model }: ModelTarget): void {
    const { onFailed, onFault } = this.#parts
    if (!ProviderFailure.is(thrown)) onFault(thrown)
    const error = errorOf(thrown)
    // A disconnected client is not a failure of the upstream.
    if (error.type !== 'cancelled') {
      onFailed({ requestId: this.#grant.requestId, provider: upstream.provider.id, model, error })
    }
  }

  #fail<Answer>({ error, target }: Failed): Result<Answer, ModelCallError> {
    const { lifetime, account } = this.#grant
    const provider = target?.upstream.provider.id
    account.provider = provider
    const status = lifetime.ended === 'client-left' ? CLIENT_DISCONNECTED : statusOf(error)
    this.settle({ status, errorType: error.type, ...this.#costOfFailure() })
    return err({ type: 'upstream-failed', provider, error })
  }

  #costOfFailure(): Partial<RequestResult> {
    const { spent, estimateInput } = this.#request
    const before = spent?.()
    const input = this.#interrupted && this.#grant.lifetime.isEndedByClient ? estimateInput() : 0
    if (!before) return input === 0 ? {} : { inputTokens: input, estimated: true, partial: true }
    const { inputTokens, estimated } = before
    return { ...before, inputTokens: inputTokens + input, estimated: estimated || input > 0, partial: true }
  }
}

/** Describes a model whose provider has no service for a purpose. */
export const serviceAbsent = (model: string, purpose: string): ProviderErrorInit => ({
  type: 'refused',
  status: 404,
  code: 'model_not_found',
  param: 'model',
  message: `The model '${model}' does not support ${purpose}.`,
})

/** Replaces the error of the last attempt where the client disconnected between two attempts. */
const endOf = ({ ended }: CallLifetime, error: ProviderError): ProviderError =>
  ended === 'client-left' && error.type !== 'cancelled'
    ? toProviderError({ type: 'cancelled', message: 'The client has disconnected.' })
    : error

const errorOf = (thrown: unknown): ProviderError => (ProviderFailure.is(thrown) ? thrown.error : providerFailed())

const providerFailed = () => toProviderError({ type: 'malformed', message: 'The provider failed.', retryable: false })

const noUpstream = () => toProviderError({ type: 'unreachable', message: 'No upstream has this model.' })

function circuitOpen(until: Date): ProviderError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000))
  return toProviderError({
    type: 'unreachable',
    message: 'The model has failed several times and is not called for some seconds.',
    retryAfterSeconds: seconds,
  })
}
