import { err, ok, type Result } from 'neverthrow'
import type { GatewayCall } from '../caller.ts'
import { type ClientHeaders, forwardedHeaders } from '../dialects/answering/forwarded-headers.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import type { ModelCalls } from '../models/model-calls.ts'
import { NO_DOLLARS } from '../money/dollars.ts'
import type { ProviderModel } from '../providers/provider.ts'
import type { RequestAccounts } from '../usage/request-accounts.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import type { CacheScope } from './answer-cache-options.ts'
import type { CacheControl } from './cache-control.ts'
import { type CachedOperation, cacheKey, scopeOf } from './cache-key.ts'
import type { CachedAnswer } from './cached-answer.ts'
import type { CachedAnswers } from './cached-answers.ts'

export interface AnswerLookupParts {
  readonly answers: CachedAnswers
  readonly scope: CacheScope
  readonly maxAnswerBytes: number
  readonly calls: Pick<ModelCalls, 'admit'>
  readonly accounts: RequestAccounts
  /** Names of the client's headers that upstreams get. */
  readonly forwardHeaders: readonly string[]
  /** Whether callers get the cost of their requests. */
  readonly showCost: boolean
}

/** A request whose answer may be cached. */
export interface LookedUpRequest {
  readonly operation: CachedOperation
  readonly model: string
  readonly kind: ProviderModel['kind']
  readonly body: JsonObject
  readonly headers: ClientHeaders | undefined
  readonly control: CacheControl
}

/** What the cache has for a request. Without `answer`, one that is new is stored under `key`; without a key it is not. */
export interface Looked {
  readonly key?: string
  readonly answer?: CachedAnswer
}

/** Admits requests, and looks for their answers. */
export interface AnswerLookup {
  /** Checks the model and the rate limit, as for each request, and then looks for the answer. */
  find(call: GatewayCall, request: LookedUpRequest): Promise<Result<Looked, ModelCallError>>
  /** Records a request that was answered from the cache. It has used no tokens. */
  record(call: GatewayCall, operation: UsageRecord['operation'], model: string, streamed: boolean): void
}

export const createAnswerLookup = ({
  answers,
  scope,
  calls,
  accounts,
  forwardHeaders,
  showCost,
}: AnswerLookupParts): AnswerLookup => ({
  async find(call, { operation, model, kind, body, headers, control }) {
    const admitted = await calls.admit(call, { model, kind })
    if (admitted.isErr()) return err(admitted.error)
    const key = await cacheKey({
      operation,
      scope: scopeOf(call.caller, scope),
      targets: admitted.value,
      // The widest selection: an upstream of another dialect may get fewer.
      headers: forwardedHeaders(headers, 'messages', forwardHeaders),
      body,
    })
    if (key === undefined) return ok({})
    const found = control.reads ? await answers.find(key, control.maxAgeSeconds) : undefined
    call.cache = found ? { status: 'hit', ageSeconds: found.ageSeconds } : { status: 'miss' }
    return ok(found ? { key, answer: found.answer } : { key })
  },

  record(call, operation, model, streamed) {
    const account = accounts.open(call, { operation, model, streamed })
    if (streamed) account.firstByte()
    account.close({ status: 200, cacheHit: true, cost: NO_DOLLARS })
    if (showCost) call.cost = NO_DOLLARS
  },
})
