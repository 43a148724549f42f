import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { accountOf, accountsOf, policiesOf } from '../accounts/account.ts'
import type { BudgetError } from '../budgets/budget-error.ts'
import type { Budgets } from '../budgets/budgets.ts'
import type { Caller, GatewayCall } from '../caller.ts'
import type { Drains } from '../chat/streams/drains.ts'
import { NO_DOLLARS, timesDollars } from '../money/dollars.ts'
import { andThen, mapError, type Outcome } from '../outcome.ts'
import { allowedTargets, type HeldPolicy, type ModelNotAllowed } from '../policies/policy-decisions.ts'
import { CallLifetime } from '../providers/call-lifetime.ts'
import type { RequestLimits } from '../rate-limits/request-limits.ts'
import type { Refusal } from '../request-log/refusal-status.ts'
import { endUserIn } from '../usage/end-user.ts'
import type { RefusedRequest, RequestAccounts } from '../usage/request-accounts.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import { ModelCall, type ModelCallParts, type ModelCallRequest } from './model-call.ts'
import type { ModelCallError } from './model-call-error.ts'
import { idOfTarget, type ModelTarget } from './model-route.ts'
import type { ModelError, Models } from './models.ts'
import { type CostBounds, mostUseOf } from './most-use.ts'

export interface ModelCallsOptions extends ModelCallParts {
  readonly models: Models
  readonly limits: RequestLimits
  readonly budgets: Pick<Budgets, 'reserve'>
  readonly costs: CostBounds
  readonly accounts: RequestAccounts
  /** Whether usage records name the end users of clients. */
  readonly endUsers: boolean
  /** The time for a whole answer, or until a stream starts. The timeout of a request may be shorter or longer. */
  readonly totalSeconds: number
  /** For callers with a limit of money. */
  readonly drains: Drains
}

/** Admits requests to models. */
export interface ModelCalls {
  /**
   * Resolves the model, and then checks the rate limit, for a request whose preparation is work. {@link ModelCalls.open}
   * does not count it again, nor does a second call of this. Returns the models to try.
   */
  admit(
    call: GatewayCall,
    request: Pick<ModelCallRequest<never>, 'model' | 'kind'>,
  ): Outcome<readonly ModelTarget[], ModelCallError>
  /** Resolves the model, and then checks the rate limit and the budget. An unknown model does not count. */
  open<Service>(call: GatewayCall, request: ModelCallRequest<Service>): Outcome<ModelCall<Service>, ModelCallError>
}

export function createModelCalls(options: ModelCallsOptions): ModelCalls {
  const { models, limits, budgets, costs, accounts, endUsers, totalSeconds, drains } = options
  const admitOnce = (call: GatewayCall) => {
    if (!call.isAdmitted) return limits.admit(call)
    call.isAdmitted = false
    return ok()
  }
  const resolve = (
    caller: Caller,
    {
      targets,
      model,
      kind,
      streamed,
    }: Pick<ModelCallRequest<never>, 'targets' | 'model' | 'kind'> & {
      readonly streamed?: boolean
    },
  ): Outcome<readonly ModelTarget[], ModelError | ModelNotAllowed> => {
    const found = targets ? ok(targets) : models.resolve(model, kind, streamed)
    const policies = policiesOf(caller)
    return policies.length === 0 ? found : resolveAllowed(policies, model, found)
  }
  const logged = <Value, Failed extends Refusal>(
    outcome: Outcome<Value, Failed>,
    call: GatewayCall,
    request: RefusedRequest,
  ): Outcome<Value, Failed> => {
    const { refused } = accounts
    if (!refused) return outcome
    return mapError(outcome, (error) => {
      refused(call, request, error)
      return error
    })
  }
  return {
    admit: (call, { model, kind }) => {
      const admitted = andThen(resolve(call.caller, { model, kind }), (targets) =>
        andThen(call.isAdmitted ? ok() : limits.admit(call), () => {
          call.isAdmitted = true
          return ok(targets)
        }),
      )
      return logged(admitted, call, { operation: kind, model })
    },
    open(call, request) {
      const { requestId, caller, isOwn = false } = call
      const { model, kind, operation = kind, streamed, estimateTokens, bound, timeoutSeconds, outputParam } = request
      const endUser = endUsers && request.endUserIn ? endUserIn(request.endUserIn) : undefined
      const recorded = { operation, model, streamed, endUser }
      let unsettled: UsageRecord | undefined
      const reserve = (targets: readonly ModelTarget[], totalMs: number) => {
        const answers = streamed ? 1 : mostAnswersOf(targets)
        const tokens = () => Math.min(Math.ceil(estimateTokens() * answers), MOST_TOKENS)
        const reserved = budgets.reserve({
          accounts: accountsOf(caller),
          most: (left, isPriced) => {
            if (!isPriced) return left === undefined ? ok({ tokens: tokens(), cost: NO_DOLLARS }) : undefined
            const priced = { model, targets, tokens: tokens(), bound: bound?.(targets) }
            return mostUseOf(priced, costsOfAll(costs, answers), left)
          },
          lastsMs: totalMs,
          call,
          record: () => {
            unsettled ??= accounts.unsettled(call, recorded)
            return unsettled
          },
        })
        return mapError(reserved, (error) => withAdvice(error, outputParam, operation))
      }
      const opened = andThen(resolve(caller, request), (targets) => {
        const totalMs = (timeoutSeconds ?? longestOf(targets, totalSeconds)) * 1000
        return andThen(
          andThen(admitOnce(call), () => reserve(targets, totalMs)),
          (hold) => {
            const account = accounts.open(call, { ...recorded, id: unsettled?.id, fields: request.endUserIn })
            const lifetime = new CallLifetime(call.signal, {
              totalMs,
              hasOwnTimeout: timeoutSeconds !== undefined,
              isCallersTimeout: totalMs < totalSeconds * 1000,
              drains: hold.reserved === undefined ? undefined : drains,
            })
            return ok(
              new ModelCall(options, request, {
                requestId,
                caller: callerName(caller),
                isOwn,
                targets,
                lifetime,
                account,
                hold,
              }),
            )
          },
        )
      })
      return logged(opened, call, recorded)
    },
  }
}

/** More than any request uses, and few enough to be added up exactly. */
const MOST_TOKENS = 1_000_000_000_000

/** Each model that refuses in a whole answer is paid for, and another one is asked. */
const mostAnswersOf = (targets: readonly ModelTarget[]): number =>
  1 + targets.reduce((count, { on }) => count + (on?.has('refusal') ? 1 : 0), 0)

const costsOfAll = (costs: CostBounds, answers: number): CostBounds =>
  answers === 1
    ? costs
    : {
        mostOf(targets, use) {
          const most = costs.mostOf(targets, use)
          return typeof most === 'string' ? most : timesDollars(most, answers)
        },
        mostOutputTokens: (targets) => costs.mostOutputTokens(targets),
      }

/** A request lasts as long as the longest of its models, in seconds. */
const longestOf = (targets: readonly ModelTarget[], totalSeconds: number): number =>
  targets.reduce((longest, { upstream, model }) => {
    const { attemptMs = 0 } = upstream.rulesOf(model)
    return Math.max(longest, attemptMs / 1000)
  }, totalSeconds)

/** A model that does not exist is not found, unless its name is not allowed. */
function resolveAllowed(
  policies: readonly HeldPolicy[],
  model: string,
  found: Outcome<readonly ModelTarget[], ModelError>,
): Outcome<readonly ModelTarget[], ModelError | ModelNotAllowed> {
  const allowed = (targets: readonly ModelTarget[]): Result<readonly ModelTarget[], ModelNotAllowed> => {
    const decision = allowedTargets(policies, model, targets, idOfTarget)
    return 'type' in decision ? err(decision) : ok(decision.targets)
  }
  return found instanceof ResultAsync
    ? found.andThen(allowed).orElse((error) => refusedFirst(error))
    : found.isErr()
      ? refusedFirst(found.error)
      : allowed(found.value)

  function refusedFirst<Failed extends ModelError | ModelNotAllowed>(
    error: Failed,
  ): Result<never, Failed | ModelNotAllowed> {
    const decision = allowedTargets(policies, model, [], idOfTarget)
    return err('type' in decision ? decision : error)
  }
}

/** Adds what a client can change. */
function withAdvice(error: BudgetError, param: string | undefined, operation: UsageRecord['operation']): BudgetError {
  if (error.type !== 'tokens-exceed-limit' && error.type !== 'cost-exceeds-limit') return error
  const named = param === undefined ? error : { ...error, param }
  return named.type === 'cost-exceeds-limit' ? { ...named, operation } : named
}

const callerName = (caller: Caller): string => accountOf(caller)?.id ?? caller.type
