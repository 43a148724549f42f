import type { Connection } from '../instances/instance.ts'
import type { Kind } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import { noImpairments } from './impairments.ts'
import type { NicAddress } from './nic-address.ts'

/** Creates the connection of a captured NIC without a NIO, until it is connected or the capture stops. */
export const placeholder = ({ adapter, port }: NicAddress): Connection => ({
  adapter,
  port,
  nio: { type: 'null' },
  impairments: noImpairments,
  linkUp: false,
})

/** Whether a connection is a placeholder. For kinds with a null NIO, that NIO is a normal connection. */
export const isPlaceholder = (kind: Kind, { nio }: Connection): boolean =>
  nio.type === 'null' && !kinds[kind].nioTypes.includes('null')
