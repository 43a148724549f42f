import { ok } from 'neverthrow'
import type { TokenBudgets, TokenReservation } from '../budgets/token-budgets.ts'
import type { GatewayCall } from '../caller.ts'
import { andThen, type Outcome } from '../outcome.ts'
import type { Attempted, Attempts } from '../providers/attempts.ts'
import { CallLifetime } from '../providers/call-lifetime.ts'
import { CLIENT_LEFT, statusOf } from '../providers/error-status.ts'
import type { ProviderContext, ProviderModel } from '../providers/provider.ts'
import type { ProviderError } from '../providers/provider-error.ts'
import type { RequestLimits } from '../rate-limits/request-limits.ts'
import type { RequestAccount, RequestBook, RequestResult } from '../usage/request-book.ts'
import type { ModelCallError } from './model-call-error.ts'
import type { ModelTarget } from './model-route.ts'
import type { Models } from './models.ts'

export interface UpstreamTimeouts {
  /** For the connection. @default 10 */
  readonly connectSeconds?: number
  /** Until the first event of a stream. @default 300 */
  readonly firstByteSeconds?: number
  /** Between two chunks of a stream. @default 120 */
  readonly idleSeconds?: number
  /** For the whole answer, all attempts included; a request's own `timeout` may be shorter or longer. @default 600 */
  readonly totalSeconds?: number
}

export interface ModelCallsOptions {
  readonly models: Models
  readonly limits: RequestLimits
  readonly budgets: TokenBudgets
  readonly book: RequestBook
  readonly attempts: Attempts
  readonly timeouts: Required<UpstreamTimeouts>
}

interface ModelCallRequest {
  readonly operation: 'chat' | 'image'
  readonly model: string
  readonly kind: ProviderModel['kind']
  readonly streamed: boolean
  /** The most that it may cost; asked only where the caller has a budget. */
  readonly estimateTokens: () => number
  /** @default the gateway's */
  readonly timeoutSeconds: number | undefined
}

/** A request that was let in. Whoever has it must settle it, on every way out. */
export interface OpenModelCall {
  readonly lifetime: CallLifetime
  readonly account: RequestAccount
  /** Asks the model's upstreams, best first. */
  ask<Answer>(
    ask: (target: ModelTarget, context: ProviderContext, abort: () => void) => Promise<Answer>,
    firstByteMs?: number,
  ): Promise<Attempted<Answer>>
  /** Gives the reservation back and closes the books. */
  settle(result: RequestResult): void
  /** As {@link settle}, for a request that has no answer. */
  fail(error: ProviderError): ModelCallError
}

export interface ModelCalls {
  /** Nothing is counted before the model is known. */
  open(call: GatewayCall, request: ModelCallRequest): Outcome<OpenModelCall, ModelCallError>
}

export function createModelCalls(options: ModelCallsOptions): ModelCalls {
  const { models, limits, budgets, book, attempts, timeouts } = options
  return {
    open(call, request) {
      const { timeoutSeconds = timeouts.totalSeconds } = request
      const totalMs = timeoutSeconds * 1000
      const reserve = () => budgets.reserve(call.caller, request.estimateTokens, totalMs)
      return andThen(models.resolve(request.model, request.kind), (targets) =>
        andThen(andThen(limits.admit(call), reserve), (reservation) => {
          const account = book.open(call, request.operation, request.model, request.streamed)
          const lifetime = new CallLifetime(call.signal, totalMs, timeoutSeconds < timeouts.totalSeconds)
          return ok(new LiveModelCall(attempts, call, targets, timeouts, lifetime, account, reservation))
        }),
      )
    },
  }
}

class LiveModelCall implements OpenModelCall {
  readonly lifetime: CallLifetime
  readonly account: RequestAccount
  readonly #attempts: Attempts
  readonly #call: GatewayCall
  readonly #targets: readonly ModelTarget[]
  readonly #timeouts: Required<UpstreamTimeouts>
  readonly #reservation: TokenReservation

  constructor(
    attempts: Attempts,
    call: GatewayCall,
    targets: readonly ModelTarget[],
    timeouts: Required<UpstreamTimeouts>,
    lifetime: CallLifetime,
    account: RequestAccount,
    reservation: TokenReservation,
  ) {
    this.#attempts = attempts
    this.#call = call
    this.#targets = targets
    this.#timeouts = timeouts
    this.lifetime = lifetime
    this.account = account
    this.#reservation = reservation
  }

  ask<Answer>(
    ask: (target: ModelTarget, context: ProviderContext, abort: () => void) => Promise<Answer>,
    firstByteMs?: number,
  ): Promise<Attempted<Answer>> {
    const { requestId } = this.#call
    const connectTimeoutMs = this.#timeouts.connectSeconds * 1000
    const { headers } = this.account
    return this.#attempts(this.#targets, {
      requestId,
      lifetime: this.lifetime,
      firstByteMs,
      ask: (target, signal, abort) => ask(target, { requestId, signal, headers, connectTimeoutMs }, abort),
    }).then((attempted) => {
      this.account.provider = attempted.target?.upstream.provider.id
      return attempted
    })
  }

  settle(result: RequestResult): void {
    this.lifetime.finish()
    this.#reservation.settle((result.inputTokens ?? 0) + (result.outputTokens ?? 0))
    this.account.close(result)
  }

  fail(error: ProviderError): ModelCallError {
    const status = this.lifetime.ended === 'client-left' ? CLIENT_LEFT : statusOf(error)
    this.settle({ status, errorType: error.type })
    return { type: 'upstream-failed', provider: this.account.provider, error }
  }
}
