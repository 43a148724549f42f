import { type IpAddress, isIpv6 } from '../../addresses/ip-address.ts'
import type { Network } from './network.ts'
import type { Route } from './route.ts'

/** Finds the route to a destination. Resolves to `no-route` when the signal aborts. */
export const findRoute = (
  { ipv4, ipv6 }: Pick<Network, 'ipv4' | 'ipv6'>,
  destination: IpAddress,
  signal: AbortSignal,
): Promise<Route<IpAddress>> =>
  new Promise((resolve) => {
    const finish = (route: Route<IpAddress>) => {
      signal.removeEventListener('abort', giveUp)
      resolve(route)
    }
    const giveUp = () => finish({ type: 'no-route' })
    signal.addEventListener('abort', giveUp, { once: true })
    if (isIpv6(destination)) ipv6.route(destination, finish)
    else ipv4.route(destination, finish)
  })
