import { Refusal } from '@trivium/emulation-core/ports'
import type { OpenDatagramChannel } from '../datagrams/datagram-channel.ts'
import type { PortPair } from './port-pair.ts'

export interface OpenUdpPlug {
  readonly relayPort: number
  readonly devicePort: number
  /** Sends a frame to the device. */
  readonly send: (frame: Uint8Array) => void
  /** Frees the ports. */
  close(): Promise<void>
}

export interface UdpPlugOptions {
  /** Released when the plug is closed, and where it cannot be opened. */
  readonly pair: PortPair
  readonly openChannel: OpenDatagramChannel
  /** @default '127.0.0.1' */
  readonly deviceAddress?: string | undefined
  /** Called with each frame of the device. */
  readonly receive: (frame: Uint8Array) => void
}

const ADDRESS = '127.0.0.1'

/** Opens a fixed pair of UDP ports for one NIC of a process. Rejects with a `Refusal` where the system refuses it. */
export async function openUdpPlug({
  pair: { relayPort, devicePort, release },
  openChannel,
  deviceAddress = ADDRESS,
  receive,
}: UdpPlugOptions): Promise<OpenUdpPlug> {
  try {
    const channel = await openChannel({
      local: { address: ADDRESS, port: relayPort },
      remote: { address: deviceAddress, port: devicePort },
      receive,
    })
    return {
      relayPort,
      devicePort,
      send: channel.send,
      async close() {
        await channel.close()
        release()
      },
    }
  } catch (error) {
    release()
    throw new Refusal('unavailable', `UDP port ${relayPort} could not be opened.`, { cause: error })
  }
}
