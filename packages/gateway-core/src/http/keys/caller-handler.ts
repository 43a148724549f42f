import type { InferOutput } from 'valibot'
import { accountOf } from '../../accounts/account.ts'
import type { Caller, GatewayCall } from '../../caller.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { failure } from '../errors/failure.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import type { callerSchema } from './caller-schema.ts'

/** Reports the caller as the access rules found it. Does not count the request. */
export const callerHandler = ({ gateway, now }: HandlerParts): GatewayHandlers<'getCaller'> => ({
  async getCaller(call: GatewayCall) {
    const { caller } = call
    if (caller.type === 'anonymous') {
      return failure(401, 'The access rule of this operation identifies no caller.', {
        code: 'missing_api_key',
        headers: { 'www-authenticate': 'Bearer' },
      })
    }
    const account = accountOf(caller)
    const [rate, budget] = await Promise.all([
      account && gateway.limits.inspect(account),
      account && gateway.budgets.inspect(account),
    ])
    if (rate) call.rate = rate
    const { rateLimit = null, budget: { tokensPerMinute = null, tokensPerDay = null } = {} } = account ?? {}
    return {
      status: 200,
      headers: answerHeaders(call, now(), { 'cache-control': 'no-store' }),
      body: {
        object: 'caller',
        type: caller.type,
        ...identityFields(caller),
        rate_limit: rateLimit,
        remaining: rate?.remaining ?? null,
        reset_at: rate?.resetAt.toISOString() ?? null,
        tokens_per_minute: tokensPerMinute,
        tokens_per_day: tokensPerDay,
        tokens_used_minute: budget?.minute ?? 0,
        tokens_used_day: budget?.day ?? 0,
      },
    }
  },
})

type Identity = Pick<InferOutput<typeof callerSchema>, 'key_id' | 'user_id' | 'username' | 'name' | 'expires_at'>

const noIdentity: Identity = { key_id: null, user_id: null, username: null, name: null, expires_at: null }

function identityFields(caller: Caller): Identity {
  if (caller.type === 'user') return { ...noIdentity, user_id: caller.id }
  if (caller.type !== 'key') return noIdentity
  const { id, userId, username, name = null, expiresAt } = caller.key
  return { key_id: id, user_id: userId, username, name, expires_at: expiresAt?.toISOString() ?? null }
}
