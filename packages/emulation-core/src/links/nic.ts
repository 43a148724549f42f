import type { InstanceId } from '../instances/instance.ts'
import type { NicAddress } from './nic-address.ts'

/** Identifies a NIC of the server. */
export interface Nic extends NicAddress {
  readonly instanceId: InstanceId
}

/** Returns a key that is equal for equal NICs. */
export const nicKey = ({ instanceId, adapter, port }: Nic): string => `${instanceId}/${adapter}/${port}`
