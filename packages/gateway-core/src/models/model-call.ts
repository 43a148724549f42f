import { err, ok, type Result } from 'neverthrow'
import type { BudgetHold } from '../budgets/budgets.ts'
import type { AnswerUsage } from '../chat/answer-usage.ts'
import { MAX_TIMER_SECONDS } from '../check-range.ts'
import { TranslationFailure } from '../dialects/answering/translation-failure.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import { addDollars, type Nanodollars, NO_DOLLARS } from '../money/dollars.ts'
import type { Prices } from '../prices/create-prices.ts'
import { attempt } from '../providers/attempt.ts'
import type { CallEnd, CallLifetime } from '../providers/call-lifetime.ts'
import { CLIENT_DISCONNECTED, statusOf } from '../providers/error-status.ts'
import type { FailedAttempt } from '../providers/failed-attempt.ts'
import type { ModelCircuit } from '../providers/model-circuits.ts'
import type { ProviderContext, ProviderModel } from '../providers/provider.ts'
import {
  type ProviderError,
  type ProviderErrorInit,
  ProviderFailure,
  toProviderError,
} from '../providers/provider-error.ts'
import { isRequestError } from '../providers/retries.ts'
import type { AttemptCause, PassedOver } from '../request-log/logged-request.ts'
import { takeAll } from '../upstream-rules/places.ts'
import type { FailedAttemptResult, RequestAccount, RequestResult } from '../usage/request-accounts.ts'
import { MOST_SEARCHES, sumOfDetails } from '../usage/usage-detail.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import { failureKindOf } from './failure-kind.ts'
import type { Latencies } from './latencies.ts'
import type { ModelCallError } from './model-call-error.ts'
import type { ModelTarget } from './model-route.ts'
import type { RequestBound } from './most-use.ts'
import { TargetQueue } from './target-queue.ts'

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
  /** Returns the part of a model's provider that serves the request. */
  readonly serviceOf: (target: ModelTarget) => Service | undefined
  readonly model: string
  readonly streamed: boolean
  /** Returns the most tokens that the request may use. Called only where the caller has a budget. */
  readonly estimateTokens: () => number
  /**
   * Returns what the request may use at most. Called only where the caller has a limit of money. Absent where that is known
   * only after it.
   */
  readonly bound?: (targets: readonly ModelTarget[]) => RequestBound
  /** The field that limits the output, which an error names. Absent for requests without output tokens. */
  readonly outputParam?: string
  /** Returns the tokens that an upstream has read before its answer. Called only where the client ends the call there. */
  readonly estimateInput: () => number
  /** Returns whether an upstream works on the request, and not the gateway. Asked where the call ends. @default yes */
  readonly isAsking?: () => boolean
  /**
   * Returns the usage of upstreams' answers that were needed before the last one, which is paid for where that one fails.
   *
   * @default none
   */
  readonly spent?: () => AnswerUsage | undefined
  /** Returns the number of searches that the gateway has made itself, which the upstream does not charge. @default 0 */
  readonly ownSearches?: () => number
  /** The client's body, which may name its end user. @default no end user */
  readonly endUserIn?: JsonObject | undefined
  /** @default `totalSeconds` of the gateway */
  readonly timeoutSeconds: number | undefined
}

/** What all calls share. */
export interface ModelCallParts {
  readonly prices: Prices
  /** Whether callers get the cost of their requests. */
  readonly showCost: boolean
  readonly latencies: Latencies
  readonly onFailed: (failed: FailedAttempt) => void
  /** Receives every error of a provider that is not a `ProviderFailure`. */
  readonly onFault: (error: unknown) => void
}

/** What an admitted call has been granted. */
export interface ModelCallGrant {
  readonly requestId: string
  /** The id of the key's or the user's account, or the type of another caller. */
  readonly caller: string
  /** Whether the gateway itself asks, which needs no place at an upstream. */
  readonly isOwn: boolean
  /** In the order in which they are tried. */
  readonly targets: readonly ModelTarget[]
  readonly lifetime: CallLifetime
  readonly account: RequestAccount
  readonly hold: BudgetHold
}

/** Calls an upstream's service with the upstream's own `model`. `abort` ends the call even after the answer has started. */
type UpstreamCall<Service, Answer> = (
  service: Service,
  model: string,
  context: ProviderContext,
  abort: () => void,
) => Promise<Answer>

/** How one request is sent. */
export interface SendOptions<Answer> {
  /** The time until an answer must start. @default that of the request */
  readonly firstByteMs?: number
  /**
   * Returns the usage of an answer in which the model, or a filter of its upstream, refuses the request; `undefined` for
   * others. @default no answer is a refusal
   */
  readonly usageOfRefusal?: (answer: Answer) => AnswerUsage | undefined
}

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
  /** The target that was called last. */
  #target: ModelTarget | undefined
  /** What refusals of models have used, after which another one was asked. */
  #refused: Refused | undefined
  /** Frees the places of the upstream that works on the request. */
  #leave: (() => void) | undefined

  constructor(parts: ModelCallParts, request: ModelCallRequest<Service>, grant: ModelCallGrant) {
    this.#parts = parts
    this.#request = request
    this.#grant = grant
  }

  /**
   * Calls one upstream after the other until one answers. All attempts end before the first byte of an answer. An error
   * that the request itself causes is not retried, except at models that are meant for it. If all upstreams fail, this
   * settles the call and returns the error of the first one. Failures of upstreams cost nothing, except answers before them
   * that the request needed. A client that ends the call while an upstream works on it pays for its input, as it does after
   * the first byte: reading long prompts would be free otherwise.
   */
  async send<Answer>(
    send: UpstreamCall<Service, Answer>,
    options: SendOptions<Answer> = {},
  ): Promise<Result<Answered<Answer>, ModelCallError>> {
    const { targets, caller, lifetime, account } = this.#grant
    const queue = new TargetQueue(targets)
    let first: Failed | undefined
    let refusal: RefusedAnswer<Answer> | undefined
    let cause: AttemptCause = 'first'
    for (let target = queue.next(); target; target = queue.next()) {
      const { circuits, provider } = target.upstream
      const circuit = circuits.of(target.model)
      const obstacle = circuit.nextCallAt
        ? circuitOpen(circuit.nextCallAt)
        : await this.#occupy(target, !queue.hasNextAfter('rate_limit'))
      if (lifetime.ended) return this.#fail({ error: endOf(lifetime, obstacle ?? noUpstream()), target })
      if (obstacle) {
        first ??= { error: obstacle, target }
        account.passedOver(provider, this.#namedModel(target), cause, passedOverBy(obstacle), resultOf(obstacle))
        cause = 'fallback'
        queue.failed(failureKindOf(obstacle))
        continue
      }
      this.#called(target)
      try {
        // One call of the circuit for all attempts: a request that always fails counts as one failure.
        const answer = await circuit.run(caller, () => this.#attempts({ target, circuit, cause }, send, options))
        const answered = { answer, provider: provider.id, target }
        const usage = !lifetime.hasLeft && queue.hasNextAfter('refusal') ? options.usageOfRefusal?.(answer) : undefined
        if (!usage) return ok(answered)
        account.attemptEnded({ status: 200, errorType: 'refusal', ...usage })
        refusal = { ...answered, before: this.#refused }
        this.#refused = this.#refusedWith(usage)
        queue.failed('refusal')
      } catch (thrown) {
        const error = errorOf(thrown)
        if (lifetime.ended || lifetime.hasLeft) return this.#fail({ error: endOf(lifetime, error), target })
        if (!this.#isRepeatable()) return this.#fail({ error, target })
        // An upstream of another dialect may take what the dialect of this one cannot carry.
        const isTranslation = thrown instanceof TranslationFailure
        const isContinued = queue.failed(isTranslation ? 'error' : failureKindOf(error))
        if (isRequestError(error) && !isTranslation && !isContinued && !refusal) return this.#fail({ error, target })
        first ??= { error, target }
      }
      this.#leave?.()
      cause = 'fallback'
    }
    if (refusal) {
      this.#called(refusal.target)
      this.#refused = refusal.before
      return ok(refusal)
    }
    return this.#fail(first ?? { error: noUpstream(), target: undefined })
  }

  /**
   * Takes a place at an upstream for this request, which ends with {@link settle}.
   *
   * @param mayWait whether no other model can take the request
   * @returns the error where the upstream takes no request now
   */
  async #occupy({ upstream, model }: ModelTarget, mayWait: boolean): Promise<ProviderError | undefined> {
    const { lifetime, isOwn } = this.#grant
    const { places, waitMs } = upstream.rulesOf(model)
    const pause = upstream.pauses.of(model)
    if (pause) {
      const canWait = mayWait && pause.remainingMs <= waitMs
      if (canWait) await lifetime.pause(pause.remainingMs)
      // A header of an earlier answer may be wrong. Where no other model can answer, the upstream decides.
      else if (pause.isRefusal || !mayWait) return upstreamPaused(pause.remainingMs)
    }
    if (isOwn || places.length === 0 || lifetime.ended) return undefined
    this.#leave = await takeAll(places, mayWait ? waitMs : 0, lifetime)
    return this.#leave ? undefined : upstreamBusy()
  }

  #refusedWith(usage: AnswerUsage): Refused {
    const { inputTokens, outputTokens, estimated, cost, ...details } = this.#refused ?? nothingRefused
    const own = this.#ownCost({ status: 200, ...usage })
    return {
      ...sumOfDetails(details, usage),
      inputTokens: inputTokens + usage.inputTokens,
      outputTokens: outputTokens + usage.outputTokens,
      estimated: estimated || usage.estimated,
      cost: own === undefined ? cost : addDollars(cost, own),
    }
  }

  /** Calls one upstream until it answers or must not be retried. @throws the error of the last attempt */
  async #attempts<Answer>(
    { target, circuit, cause }: TriedTarget,
    send: UpstreamCall<Service, Answer>,
    options: SendOptions<Answer>,
  ): Promise<Answer> {
    const { lifetime, account } = this.#grant
    const { firstByteMs, attemptMs, waitBeforeRetry } = target.upstream.rulesOf(target.model)
    const startMs = options.firstByteMs === undefined ? attemptMs : (firstByteMs ?? options.firstByteMs)
    for (let failures = 0; ; failures += 1) {
      const startedAt = performance.now()
      const headers = account.attempt(
        target.upstream.provider,
        this.#namedModel(target),
        failures === 0 ? cause : 'retry',
      )
      try {
        const answer = await attempt({
          lifetime,
          firstByteMs: startMs,
          send: (signal, abort) =>
            send(this.#serviceOf(target), target.model, this.#contextOf(signal, target, headers), abort),
          onInterrupted: () => {
            this.#interrupted = true
          },
        })
        this.#parts.latencies.record(target, this.#request.streamed, performance.now() - startedAt)
        return answer
      } catch (thrown) {
        this.#report(thrown, target)
        const error = errorOf(thrown)
        account.attemptEnded(resultOf(error))
        target.upstream.pauses.failed(target.model, error)
        const isFinal = lifetime.ended || lifetime.hasLeft || isRequestError(error) || !this.#isRepeatable()
        if (!isFinal) {
          this.#parts.latencies.record(target, this.#request.streamed, performance.now() - startedAt + FAILURE_MS)
        }
        const wait = isFinal ? undefined : waitBeforeRetry(error, failures)
        if (wait === undefined || !(await lifetime.pause(wait)) || circuit.nextCallAt) throw thrown
      }
    }
  }

  /** The longest time between two chunks of a stream. */
  get idleMs(): number {
    const target = this.#target ?? this.#grant.targets[0]
    return target?.upstream.rulesOf(target.model).idleMs ?? MAX_TIMER_SECONDS * 1000
  }

  /** Whether a limit of money holds for the caller. */
  get isPaid(): boolean {
    return this.#grant.hold.reserved !== undefined
  }

  /** Reads the limits of the upstream from the headers of its answer. Names in lower case. */
  heed(headers: Readonly<Record<string, string>> | undefined): void {
    if (this.#target) this.#target.upstream.pauses.answered(this.#target.model, headers)
  }

  /** Marks the start of a stream. From here on, an end of the call interrupts the stream. */
  begin(onEnd: (end: CallEnd) => void): void {
    const { account, lifetime } = this.#grant
    account.firstByte()
    lifetime.onInterrupt = onEnd
    lifetime.started()
  }

  /**
   * Settles what was reserved, and writes the usage record.
   *
   * @param isUncounted whether the upstream may charge more than the result has, because it was cut or reports nothing.
   *   Then a caller with a limit of money pays the most that the request can cost
   * @returns the cost, for the caller. `undefined` where no price is known, or the host does not show it.
   */
  settle(own: RequestResult, isUncounted = false): Nanodollars | undefined {
    const { lifetime, account, hold } = this.#grant
    lifetime.finish()
    this.#leave?.()
    const most = isUncounted ? hold.reserved : undefined
    const result = {
      ...(this.#refused ? { ...withRefused(own, this.#refused), ofAttempt: own } : own),
      ...(lifetime.isDrained && own.status < 400 && { status: CLIENT_DISCONNECTED, partial: true }),
      ...((most !== undefined || (own.searches ?? 0) > MOST_SEARCHES) && { estimated: true }),
    }
    const tokens = (result.inputTokens ?? 0) + (result.outputTokens ?? 0)
    const cost = largerOf(this.#costOf(own), most)
    account.close(cost === undefined ? result : { ...result, cost }, (record) =>
      hold.settle({ tokens, cost: cost ?? NO_DOLLARS }, record),
    )
    return this.#parts.showCost ? cost : undefined
  }

  /** Returns the cost of an answer so far, for the caller, as {@link settle} does. */
  shownCost(result: RequestResult): Nanodollars | undefined {
    return this.#parts.showCost ? this.#costOf(result) : undefined
  }

  #costOf(result: RequestResult): Nanodollars | undefined {
    const own = this.#ownCost(result)
    return this.#refused ? addDollars(own ?? NO_DOLLARS, this.#refused.cost) : own
  }

  #ownCost(result: RequestResult): Nanodollars | undefined {
    const { targets, ownSearches } = this.#request
    // Requests for files and batches call no model.
    if (!this.#target || targets) return undefined
    const { inputTokens = 0, outputTokens = 0, searches = 0 } = result
    return this.#parts.prices.costOf(this.#target.upstream.provider.id, this.#target.model, {
      ...result,
      inputTokens,
      outputTokens,
      searches: Math.max(0, Math.min(searches, MOST_SEARCHES) - (ownSearches?.() ?? 0)),
      requests: result.status < 400 ? (result.requests ?? 1) : 0,
    })
  }

  #called(target: ModelTarget): void {
    const { account } = this.#grant
    this.#target = target
    account.provider = target.upstream.provider.id
    const model = this.#namedModel(target)
    if (model !== undefined) account.upstreamModel = model
  }

  /** Requests for files and batches call no model. */
  #namedModel({ model }: ModelTarget): string | undefined {
    return this.#request.targets ? undefined : model
  }

  #isRepeatable(): boolean {
    return this.#request.isRepeatable?.() ?? true
  }

  /** @throws ProviderFailure where the provider has no such service */
  #serviceOf(target: ModelTarget): Service {
    const { serviceOf, purpose } = this.#request
    const service = serviceOf(target)
    if (service) return service
    throw new ProviderFailure(serviceAbsent(target.model, purpose))
  }

  #contextOf(
    signal: AbortSignal,
    { upstream, model }: ModelTarget,
    headers: ProviderContext['headers'],
  ): ProviderContext {
    const { requestId } = this.#grant
    return { requestId, signal, headers, connectTimeoutMs: upstream.rulesOf(model).connectTimeoutMs }
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
    const { lifetime } = this.#grant
    if (target) this.#called(target)
    const provider = target?.upstream.provider.id
    const status = lifetime.hasLeft ? CLIENT_DISCONNECTED : statusOf(error)
    const isUncounted = this.#interrupted && (this.#request.isAsking?.() ?? true)
    const partial = isUncounted && this.isPaid ? { partial: true } : {}
    this.settle(
      { status, errorType: error.type, errorMessage: error.message, ...this.#costOfFailure(), ...partial },
      isUncounted,
    )
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

/** A model that is called, and why. */
interface TriedTarget {
  readonly target: ModelTarget
  readonly circuit: Pick<ModelCircuit, 'nextCallAt'>
  readonly cause: AttemptCause
}

const resultOf = (error: ProviderError): FailedAttemptResult => ({
  status: statusOf(error),
  errorType: error.type,
  errorMessage: error.message,
})

function passedOverBy(obstacle: ProviderError): PassedOver {
  if (obstacle.type !== 'refused') return 'circuit-open'
  return obstacle.code === BUSY ? 'busy' : 'paused'
}

const BUSY = 'upstream_busy'

const largerOf = (one: Nanodollars | undefined, other: Nanodollars | undefined): Nanodollars | undefined =>
  one !== undefined && other !== undefined && one > other ? one : (other ?? one)

/** What a failed attempt counts in addition to its duration. A model that fails fast must not get more requests. */
const FAILURE_MS = 10_000

/** What refusals of models have used. */
interface Refused extends AnswerUsage {
  readonly cost: Nanodollars
}

/** An answer in which a model refuses. It is the answer where no other model answers. */
interface RefusedAnswer<Answer> extends Answered<Answer> {
  readonly target: ModelTarget
  /** What other refusals before it have used. */
  readonly before: Refused | undefined
}

const nothingRefused: Refused = { inputTokens: 0, outputTokens: 0, estimated: false, cost: NO_DOLLARS }

function withRefused(result: RequestResult, { cost: _, ...refused }: Refused): RequestResult {
  return {
    ...result,
    ...sumOfDetails(result, refused),
    inputTokens: (result.inputTokens ?? 0) + refused.inputTokens,
    outputTokens: (result.outputTokens ?? 0) + refused.outputTokens,
    estimated: (result.estimated ?? false) || refused.estimated,
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
const endOf = ({ hasLeft }: CallLifetime, error: ProviderError): ProviderError =>
  hasLeft && error.type !== 'cancelled'
    ? toProviderError({ type: 'cancelled', message: 'The client has disconnected.' })
    : error

const errorOf = (thrown: unknown): ProviderError => (ProviderFailure.is(thrown) ? thrown.error : providerFailed())

const providerFailed = () => toProviderError({ type: 'malformed', message: 'The provider failed.', retryable: false })

const noUpstream = () => toProviderError({ type: 'unreachable', message: 'No upstream has this model.' })

const upstreamBusy = () =>
  toProviderError({
    type: 'refused',
    status: 429,
    code: BUSY,
    message: 'The gateway sends no further request to the upstream now, because as many as it may send are running.',
    retryAfterSeconds: 1,
  })

const upstreamPaused = (milliseconds: number) =>
  toProviderError({
    type: 'refused',
    status: 429,
    code: 'upstream_rate_limited',
    message: 'The upstream accepts no further request for the model now.',
    retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1000)),
  })

function circuitOpen(until: Date): ProviderError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000))
  return toProviderError({
    type: 'unreachable',
    message: 'The model has failed several times and is not called for some seconds.',
    retryAfterSeconds: seconds,
  })
}
