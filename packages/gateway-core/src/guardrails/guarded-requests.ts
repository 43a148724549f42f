import { err, ok, type Result } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import type { DialectCall } from '../dialects/answering/front.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import type { ModelCalls } from '../models/model-calls.ts'
import type { ProviderModel } from '../providers/provider.ts'
import type { LimitError, RequestLimits } from '../rate-limits/request-limits.ts'
import { refusalMessage } from '../request-log/refusal-message.ts'
import type { SearchRequest } from '../search/search.ts'
import type { RefusedRequest, RequestAccounts } from '../usage/request-accounts.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import type { GuardrailError } from './guardrail-error.ts'
import { RequestGuard, type RequestGuardParts } from './request-guard.ts'
import { guardedValue } from './texts/guarded-value.ts'
import { requestSlots } from './texts/text-slots.ts'

export interface GuardedRequestsParts extends RequestGuardParts {
  readonly calls: Pick<ModelCalls, 'admit'>
  readonly limits: Pick<RequestLimits, 'admit'>
  readonly accounts: RequestAccounts
}

/** What the usage record of a blocked request says. */
export interface GuardedOperation {
  readonly operation: UsageRecord['operation']
  readonly kind: ProviderModel['kind']
  readonly model: string
  readonly streamed: boolean
}

/** Checks requests before their upstreams, and before they are stored. */
export class GuardedRequests {
  readonly #parts: GuardedRequestsParts
  readonly isGuarding: boolean
  /** Bodies that need no further check. */
  readonly #checked = new WeakSet<object>()

  constructor(parts: GuardedRequestsParts) {
    this.#parts = parts
    this.isGuarding = parts.guardrails.some(({ on }) => on.includes('input'))
  }

  /** Returns a request of a dialect as its upstream may get it, without the client's own bytes. */
  async dialect(call: GatewayCall, request: DialectCall): Promise<Result<DialectCall, ModelCallError>> {
    const { body } = request
    if (!this.isGuarding || this.#checked.has(body)) return ok(request)
    const operation = {
      operation: 'chat',
      kind: 'chat',
      model: String(body.model),
      streamed: body.stream === true,
    } as const
    const guarded = await this.value(call, operation, body)
    if (guarded.isErr()) return err(guarded.error)
    this.#checked.add(guarded.value)
    // With duplicate members, its bytes could mean another request.
    const { raw, ...rest } = request
    return ok({ ...rest, body: guarded.value })
  }

  /** Admits a request, and returns what is left of a value of it. A refused one has a usage record. */
  async value<Value>(
    call: GatewayCall,
    { operation, kind, model, streamed }: GuardedOperation,
    value: Value,
  ): Promise<Result<Value, ModelCallError>> {
    if (!this.isGuarding) return ok(value)
    // No check is made for a caller that must not use the model.
    const admitted = await this.#parts.calls.admit(call, { model, kind })
    if (admitted.isErr()) return err(admitted.error)
    const guarded = await this.texts(call, model, value)
    if (guarded.isErr()) this.record(call, { operation, model, streamed }, guarded.error)
    return guarded
  }

  /** Returns a search as its engine may get it. A refused one counts as a request. */
  async search(call: GatewayCall, request: SearchRequest): Promise<Result<SearchRequest, GuardrailError | LimitError>> {
    if (!this.isGuarding) return ok(request)
    const admitted = await this.#parts.limits.admit(call)
    if (admitted.isErr()) return err(admitted.error)
    call.isAdmitted = true
    const { engine = '' } = request
    const guarded = await this.texts(call, engine, { text: request.text })
    if (guarded.isErr()) this.record(call, { operation: 'search', model: engine, streamed: false }, guarded.error)
    return guarded.map(({ text }) => ({ ...request, text }))
  }

  /** Checks the texts of a value. */
  texts<Value>(call: GatewayCall, model: string, value: Value): Promise<Result<Value, GuardrailError>> {
    return guardedValue(new RequestGuard(this.#parts, call, 'input', model), value, requestSlots(value))
  }

  /** Records a request that was refused. */
  record(
    call: GatewayCall,
    request: Pick<UsageRecord, 'operation' | 'model' | 'streamed'>,
    error: GuardrailError,
  ): void {
    const status = error.type === 'guardrail-failed' ? 503 : 400
    const errorMessage = refusalMessage(error)
    this.#parts.accounts
      .open(call, request)
      .close({ status, errorType: error.type, ...(errorMessage !== undefined && { errorMessage }) })
  }

  /** Logs a request that was refused before it was admitted. */
  refused<Refused extends GuardrailError>(call: GatewayCall, request: RefusedRequest, error: Refused): Refused {
    this.#parts.accounts.refused?.(call, request, error)
    return error
  }
}
