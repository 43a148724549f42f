import type { Handlers } from '@trivium/http-contract'
import type { HttpCall } from '../access/http-call.ts'
import type { GatewayContract } from '../contract.ts'
import type { HandlerParts } from '../handler-parts.ts'

export const healthHandler = ({ gateway }: HandlerParts): Pick<Handlers<GatewayContract, HttpCall>, 'getHealth'> => ({
  async getHealth() {
    const { status, version, checkedAt, store, limiter, providers, search } = await gateway.health()
    const components = { store, limiter, providers: { ...providers }, search: { ...search } }
    const body = { status, version, timestamp: checkedAt.toISOString(), components }
    return { status: status === 'unhealthy' ? 503 : 200, headers: { 'cache-control': 'no-store' }, body }
  },
})
