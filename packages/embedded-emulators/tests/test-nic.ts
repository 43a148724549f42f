import type { InstanceId } from '@trivium/emulation-core'
import type { Nic } from '@trivium/emulation-core/ports'

/** The only NIC of the instance with the name. */
export const nicOf = (name: string): Nic => ({
  // Any string serves as an id where nothing parses it.
  instanceId: name as InstanceId,
  adapter: 0,
  port: 0,
})
