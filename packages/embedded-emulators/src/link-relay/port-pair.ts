import { type PortAllocator, Refusal } from '@trivium/emulation-core/ports'

/** The ports between the relay and a device of another process. */
export interface PortPair {
  readonly relayPort: number
  readonly devicePort: number
  /** Frees both. Later calls have no effect. */
  release(): void
}

/** Rejects with a `Refusal` where no port is free. */
export async function allocatePair(ports: PortAllocator): Promise<PortPair> {
  const relayPort = await ports.allocate('udp')
  const devicePort = relayPort === undefined ? undefined : await ports.allocate('udp')
  if (relayPort === undefined || devicePort === undefined) {
    if (relayPort !== undefined) ports.release('udp', relayPort)
    throw new Refusal('unavailable', 'No UDP port is free for the NIC.')
  }
  let taken = true
  return {
    relayPort,
    devicePort,
    release() {
      if (!taken) return
      taken = false
      for (const port of [relayPort, devicePort]) ports.release('udp', port)
    },
  }
}
