import type { GatewayHandlers, HandlerParts } from '../handler-parts.ts'

export const healthHandler = ({ gateway }: HandlerParts): GatewayHandlers<'getHealth'> => ({
  async getHealth() {
    const { status, version, checkedAt, store, limiter, providers, search, checks } = await gateway.health()
    const components = { store, limiter, providers: { ...providers }, search: { ...search }, checks: { ...checks } }
    const body = { status, version, timestamp: checkedAt.toISOString(), components }
    return { status: status === 'unhealthy' ? 503 : 200, headers: { 'cache-control': 'no-store' }, body }
  },
})
