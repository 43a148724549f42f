import type { IpAddress } from '../../addresses/ip-address.ts'
import type { MacAddress } from '../../addresses/mac-address.ts'

/** The result of routing: how a packet leaves this host, or why it cannot. */
export type Route<A extends IpAddress> =
  | { readonly type: 'ready'; readonly mac: MacAddress; readonly source: A }
  | { readonly type: 'no-address' }
  | { readonly type: 'no-route' }
  | { readonly type: 'no-neighbour'; readonly hop: A }
