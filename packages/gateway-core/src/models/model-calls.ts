import { ok } from 'neverthrow'
import { accountOf } from '../accounts/account.ts'
import type { BudgetError, TokenBudgets } from '../budgets/token-budgets.ts'
import type { Caller, GatewayCall } from '../caller.ts'
import { andThen, mapError, type Outcome } from '../outcome.ts'
import { CallLifetime } from '../providers/call-lifetime.ts'
import type { RequestLimits } from '../rate-limits/request-limits.ts'
import type { RequestAccounts } from '../usage/request-accounts.ts'
import { ModelCall, type ModelCallParts, type ModelCallRequest } from './model-call.ts'
import type { ModelCallError } from './model-call-error.ts'
import type { Models } from './models.ts'

export interface ModelCallsOptions extends ModelCallParts {
  readonly models: Models
  readonly limits: RequestLimits
  readonly budgets: TokenBudgets
  readonly accounts: RequestAccounts
  /** The time for a whole answer, or until a stream starts. The timeout of a request may be shorter or longer. */
  readonly totalSeconds: number
}

/** Admits requests to models. */
export interface ModelCalls {
  /**
   * Resolves the model, and then checks the rate limit, for a request whose preparation is work. {@link ModelCalls.open}
   * does not count it again.
   */
  admit(call: GatewayCall, request: Pick<ModelCallRequest<never>, 'model' | 'kind'>): Outcome<void, ModelCallError>
  /** Resolves the model, and then checks the rate limit and the budget. An unknown model does not count. */
  open<Service>(call: GatewayCall, request: ModelCallRequest<Service>): Outcome<ModelCall<Service>, ModelCallError>
}

export function createModelCalls(options: ModelCallsOptions): ModelCalls {
  const { models, limits, budgets, accounts, totalSeconds } = options
  const admitOnce = (call: GatewayCall) => {
    if (!call.isAdmitted) return limits.admit(call)
    call.isAdmitted = false
    return ok()
  }
  return {
    admit: (call, { model, kind }) =>
      andThen(models.resolve(model, kind), () =>
        andThen(limits.admit(call), () => {
          call.isAdmitted = true
          return ok()
        }),
      ),
    open(call, request) {
      const { requestId, caller } = call
      const { model, kind, operation = kind, streamed, estimateTokens, timeoutSeconds } = request
      const totalMs = (timeoutSeconds ?? totalSeconds) * 1000
      const reserve = () =>
        mapError(budgets.reserve(caller, estimateTokens, totalMs), (error) => withParam(error, request.outputParam))
      return andThen(request.targets ? ok(request.targets) : models.resolve(model, kind), (targets) =>
        andThen(andThen(admitOnce(call), reserve), (reservation) => {
          const account = accounts.open(call, operation, model, streamed)
          const lifetime = new CallLifetime(call.signal, {
            totalMs,
            hasOwnTimeout: timeoutSeconds !== undefined,
            isCallersTimeout: totalMs < totalSeconds * 1000,
          })
          return ok(
            new ModelCall(options, request, {
              requestId,
              caller: callerName(caller),
              targets,
              lifetime,
              account,
              reservation,
            }),
          )
        }),
      )
    },
  }
}

const withParam = (error: BudgetError, param: string | undefined): BudgetError =>
  error.type === 'tokens-exceed-limit' && param !== undefined ? { ...error, param } : error

const callerName = (caller: Caller): string => accountOf(caller)?.id ?? caller.type
