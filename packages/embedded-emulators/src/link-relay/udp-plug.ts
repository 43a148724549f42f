import { type PortAllocator, Refusal } from '@trivium/emulation-core/ports'
import type { OpenDatagramChannel } from '../datagrams/datagram-channel.ts'

export interface OpenUdpPlug {
  readonly relayPort: number
  readonly devicePort: number
  /** Sends a frame to the device. */
  readonly send: (frame: Uint8Array) => void
  /** Frees the ports. */
  close(): Promise<void>
}

export interface UdpPlugOptions {
  readonly ports: PortAllocator
  readonly openChannel: OpenDatagramChannel
  /** @default '127.0.0.1' */
  readonly deviceAddress?: string | undefined
  /** Called with each frame of the device. */
  readonly receive: (frame: Uint8Array) => void
}

const ADDRESS = '127.0.0.1'

/** Opens a fixed pair of UDP ports for one NIC of a process. Rejects with a `Refusal` where no port is free. */
export async function openUdpPlug({
  ports,
  openChannel,
  deviceAddress = ADDRESS,
  receive,
}: UdpPlugOptions): Promise<OpenUdpPlug> {
  const relayPort = await ports.allocate('udp')
  const devicePort = relayPort === undefined ? undefined : await ports.allocate('udp')
  const release = () => {
    for (const port of [relayPort, devicePort]) if (port !== undefined) ports.release('udp', port)
  }
  if (relayPort === undefined || devicePort === undefined) {
    release()
    throw new Refusal('unavailable', 'No UDP port is free for the NIC.')
  }
  try {
    const channel = await openChannel({
      local: { address: ADDRESS, port: relayPort },
      remote: { address: deviceAddress, port: devicePort },
      receive,
    })
    let open = true
    return {
      relayPort,
      devicePort,
      send: channel.send,
      async close() {
        await channel.close()
        if (open) release()
        open = false
      },
    }
  } catch (error) {
    release()
    throw new Refusal('unavailable', `UDP port ${relayPort} could not be opened.`, { cause: error })
  }
}
