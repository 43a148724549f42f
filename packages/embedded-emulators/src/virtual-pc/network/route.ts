import type { IpAddress } from '../../addresses/ip-address.ts'
import type { MacAddress } from '../../addresses/mac-address.ts'

/** How a packet leaves this host. */
export type Route<A extends IpAddress> =
  | { readonly type: 'ready'; readonly mac: MacAddress; readonly source: A }
  | { readonly type: 'no-address' }
  | { readonly type: 'no-route' }
  | { readonly type: 'no-neighbour'; readonly hop: A }
