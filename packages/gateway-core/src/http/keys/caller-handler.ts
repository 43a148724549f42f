import type { InferOutput } from 'valibot'
import { accountOf, groupAccount } from '../../accounts/account.ts'
import type { Caller, GatewayCall } from '../../caller.ts'
import type { Gateway } from '../../create-gateway.ts'
import { answerHeaders } from '../access/answer-headers.ts'
import { failure } from '../errors/failure.ts'
import { teamToWire, userToWire } from '../groups/group-wire.ts'
import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'
import { termsToWire, useToWire } from '../terms/terms-wire.ts'
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
    const [rate, state, groups] = await Promise.all([
      account && gateway.limits.inspect(account),
      account && gateway.budgets.inspect(account),
      groupFields(gateway, caller),
    ])
    if (rate) call.rate = rate
    const { rateLimit = null, budget = {} } = account ?? {}
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
        ...termsToWire({ policy: {}, ...(caller.type === 'key' && caller.key), budget }),
        ...groups,
        ...useToWire(budget, state),
      },
    }
  },
})

async function groupFields({ budgets }: Pick<Gateway, 'budgets'>, caller: Caller) {
  const groups = caller.type === 'key' ? caller.key.groups : undefined
  const team = groups?.find(({ kind }) => kind === 'team')
  const user = groups?.find(({ kind }) => kind === 'user')
  const [ofTeam, ofUser] = await Promise.all([
    team && budgets.inspect(groupAccount(team)),
    user && budgets.inspect(groupAccount(user)),
  ])
  return {
    team: team ? { ...teamToWire(team), ...useToWire(team.budget, ofTeam) } : null,
    user: user ? { ...userToWire(user), ...useToWire(user.budget, ofUser) } : null,
  }
}

type Identity = Pick<InferOutput<typeof callerSchema>, 'key_id' | 'user_id' | 'username' | 'name' | 'expires_at'>

const noIdentity: Identity = { key_id: null, user_id: null, username: null, name: null, expires_at: null }

function identityFields(caller: Caller): Identity {
  if (caller.type === 'user') return { ...noIdentity, user_id: caller.id }
  if (caller.type !== 'key') return noIdentity
  const { id, userId, username, name = null, expiresAt } = caller.key
  return { key_id: id, user_id: userId, username, name, expires_at: expiresAt?.toISOString() ?? null }
}
