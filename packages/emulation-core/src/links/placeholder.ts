import type { Connection } from '../instances/instance.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import { noImpairments } from './impairments.ts'
import type { NicAddress } from './nic-address.ts'

/** Stands on a NIC that is captured and not cabled, until it is cabled or the capture stops. */
export const placeholder = ({ adapter, port }: NicAddress): Connection => ({
  adapter,
  port,
  nio: { type: 'null' },
  impairments: noImpairments,
  linkUp: false,
})

/** On kinds that clients can give a null NIO, it is a connection like any other. */
export const isPlaceholder = (kind: Kind, { nio }: Connection): boolean =>
  nio.type === 'null' && !kinds[kind].nioTypes.includes('null')
