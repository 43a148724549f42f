import type { InstanceId } from '@trivium/emulation-core'
import type { Nic } from '@trivium/emulation-core/ports'

/** The only NIC of the instance with the name. */
export const nicOf = (name: string): Nic => ({
  // Any string is valid as an id here: it is not parsed.
  instanceId: name as InstanceId,
  adapter: 0,
  port: 0,
})
