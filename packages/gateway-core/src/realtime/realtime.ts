import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { type Account, accountOf, accountsOf } from '../accounts/account.ts'
import type { AccountId } from '../accounts/account-id.ts'
import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { Budgets } from '../budgets/budgets.ts'
import type { GatewayCall } from '../caller.ts'
import { checkRange } from '../check-range.ts'
import { serviceAbsent } from '../models/model-call.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import type { ModelCalls } from '../models/model-calls.ts'
import type { Models } from '../models/models.ts'
import { NO_DOLLARS } from '../money/dollars.ts'
import type { Provider } from '../providers/provider.ts'
import { toProviderError } from '../providers/provider-error.ts'
import type { RealtimeOptions } from './realtime-options.ts'
import { RealtimeSession } from './realtime-session.ts'
import { SessionKeys, type SessionKeysParts } from './session-keys.ts'

/** Why a session was not opened. */
export type RealtimeError =
  | ModelCallError
  /** The caller has `limit` open sessions in this process. */
  | { readonly type: 'too-many-sessions'; readonly limit: number }

/** Relays realtime sessions between clients and the upstreams of their model. */
export interface Realtime {
  /**
   * Opens a session at an upstream. A session counts as one request. A budget of the caller reserves the tokens of each
   * answer as it ends, and ends the session where it is exceeded. A session ends with its key. It must be attached, or the signal of the call
   * aborted.
   */
  open(call: GatewayCall, model: string): ResultAsync<RealtimeSession, RealtimeError>
  /** Checks that a model exists and that a provider of it has realtime sessions. */
  check(model: string): ResultAsync<void, RealtimeError>
  /** Ends the sessions of a key that has ended. @param id `undefined`: any key may have changed */
  checkKeys(id: ApiKeyId | undefined): void
  /** Ends all sessions. */
  close(): void
}

export interface RealtimeParts {
  readonly calls: ModelCalls
  readonly models: Pick<Models, 'resolve'>
  readonly keys: SessionKeysParts
  readonly budgets: Pick<Budgets, 'reserve'>
  readonly firstByteSeconds: number
}

const MAX_SECONDS = 86_400
const PURPOSE = 'realtime sessions'

export function createRealtime(
  options: RealtimeOptions,
  { calls, models, keys, budgets, firstByteSeconds }: RealtimeParts,
): Realtime {
  const {
    maxSessionSeconds = 3600,
    idleSeconds = 300,
    maxSessionsPerCaller = 20,
    maxBufferedBytes = 4 * 2 ** 20,
  } = options
  checkRange({ 'realtime.maxSessionSeconds': maxSessionSeconds, 'realtime.idleSeconds': idleSeconds }, 1, MAX_SECONDS)
  const least = { 'realtime.maxSessionsPerCaller': maxSessionsPerCaller, 'realtime.maxBufferedBytes': maxBufferedBytes }
  checkRange(least, 1, Number.MAX_SAFE_INTEGER)
  const open = new Set<RealtimeSession>()
  const sessionKeys = new SessionKeys(keys)
  const counts = new Map<AccountId, number>()

  const addCount = (id: AccountId | undefined, change: 1 | -1) => {
    if (id === undefined) return
    const count = (counts.get(id) ?? 0) + change
    if (count > 0) counts.set(id, count)
    else counts.delete(id)
  }

  const openSession = async (
    call: GatewayCall,
    model: string,
    onSettled: () => void,
  ): Promise<Result<RealtimeSession, RealtimeError>> => {
    const opened = await calls.open(call, {
      kind: 'realtime',
      purpose: PURPOSE,
      serviceOf: ({ upstream }) => realtimeOf(upstream.provider),
      model,
      streamed: true,
      // Refused where the budget is used up. What a session uses is known only as it ends.
      estimateTokens: () => 1,
      estimateInput: () => 0,
      timeoutSeconds: maxSessionSeconds,
    })
    if (opened.isErr()) return err(opened.error)
    const modelCall = opened.value
    const session = new RealtimeSession({
      idleMs: idleSeconds * 1000,
      longestMs: maxSessionSeconds * 1000,
      maxBufferedBytes,
      reserve: (tokens) =>
        budgets.reserve({
          accounts: accountsOf(call.caller).map(onlyTokens),
          most: (left) => (left === undefined ? ok({ tokens, cost: NO_DOLLARS }) : undefined),
          lastsMs: maxSessionSeconds * 1000,
          call,
        }),
      onSettled: (result) => {
        open.delete(session)
        sessionKeys.delete(session)
        onSettled()
        modelCall.settle(result)
      },
    })
    const answered = await modelCall.send(
      (provider, upstreamModel, context) => provider.open({ model: upstreamModel }, session.receiver(), context),
      { firstByteMs: firstByteSeconds * 1000 },
    )
    if (answered.isErr()) return err(answered.error)
    const { answer, provider } = answered.value
    open.add(session)
    sessionKeys.add(session, call.caller)
    session.opened(answer, provider)
    modelCall.begin((end) => session.end(end === 'client-left' ? 'client-left' : 'longest-time'))
    return ok(session)
  }

  const openCounted = async (call: GatewayCall, model: string): Promise<Result<RealtimeSession, RealtimeError>> => {
    const id = accountOf(call.caller)?.id
    if (id !== undefined && (counts.get(id) ?? 0) >= maxSessionsPerCaller)
      return err({ type: 'too-many-sessions', limit: maxSessionsPerCaller })
    addCount(id, 1)
    const leave = () => addCount(id, -1)
    try {
      const opened = await openSession(call, model, leave)
      if (opened.isErr()) leave()
      return opened
    } catch (thrown) {
      leave()
      throw thrown
    }
  }

  const check = async (model: string): Promise<Result<void, RealtimeError>> => {
    const targets = await models.resolve(model, 'realtime')
    if (targets.isErr()) return err(targets.error)
    if (targets.value.some(({ upstream }) => realtimeOf(upstream.provider))) return ok(undefined)
    const error = toProviderError(serviceAbsent(targets.value[0]?.model ?? model, PURPOSE))
    return err({ type: 'upstream-failed', provider: undefined, error })
  }

  return {
    check: (model) => new ResultAsync(check(model)),
    open: (call, model) => new ResultAsync(openCounted(call, model)),
    checkKeys: (id) => sessionKeys.check(id),
    close() {
      for (const session of [...open]) session.end('gateway-closed')
    },
  }
}

/** The session itself is one request, and refused where money is limited. */
const onlyTokens = ({ id, budget: { tokensPerMinute, tokensPerDay } }: Account): Account => ({
  id,
  budget: {
    ...(tokensPerMinute !== undefined && { tokensPerMinute }),
    ...(tokensPerDay !== undefined && { tokensPerDay }),
  },
})

const realtimeOf = ({ realtime }: Provider) => realtime
