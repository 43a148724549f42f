import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { NicAddress, NicState, PlugUdpOptions, UdpPlug, Wiring } from '@trivium/emulation-core/ports'

/** The pair of UDP ports of one NIC. `peer` is the other end of its cable. */
interface Jack {
  readonly socket: Socket
  readonly deviceAddress: string
  readonly devicePort: number
  frames: number
  peer: Jack | undefined
}

async function boundSocket(): Promise<Socket> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}

/** Creates a minimal link relay for tests, whose cables can be connected and disconnected at any time. */
export function createBenchNetwork() {
  const jacks = new Map<string, Jack>()
  const cables = new Map<string, string>()
  const key = (instance: string, { adapter, port }: NicAddress) => `${instance}/${adapter}/${port}`

  const join = () => {
    for (const [name, jack] of jacks) jack.peer = jacks.get(cables.get(name) ?? '')
  }

  const plugUdp = async (name: string, { deviceAddress = '127.0.0.1' }: PlugUdpOptions = {}): Promise<UdpPlug> => {
    const socket = await boundSocket()
    const reserved = await boundSocket()
    const devicePort = reserved.address().port
    await new Promise<void>((resolve) => reserved.close(() => resolve()))
    const jack: Jack = { socket, deviceAddress, devicePort, frames: 0, peer: undefined }
    socket.on('message', (frame) => {
      jack.frames += 1
      if (jack.peer !== undefined) jack.peer.socket.send(frame, jack.peer.devicePort, jack.peer.deviceAddress)
    })
    socket.on('error', () => {})
    jacks.set(name, jack)
    join()
    return {
      relayPort: socket.address().port,
      devicePort,
      unplug: async () => {
        if (jacks.get(name) !== jack) return
        jacks.delete(name)
        join()
        await new Promise<void>((resolve) => socket.close(() => resolve()))
      },
    }
  }

  return {
    cable: (one: string, other: string) => {
      cables.set(`${one}/0/0`, `${other}/0/0`)
      cables.set(`${other}/0/0`, `${one}/0/0`)
      join()
    },
    disconnect: (one: string) => {
      const other = cables.get(`${one}/0/0`)
      cables.delete(`${one}/0/0`)
      if (other !== undefined) cables.delete(other)
      join()
    },
    /** The number of attached NICs. */
    plugs: () => jacks.size,
    frames: (instance: string) => jacks.get(`${instance}/0/0`)?.frames ?? 0,
    wiring: (instance: string, nics: readonly NicAddress[] = [{ adapter: 0, port: 0 }]): Wiring => ({
      nics,
      state: (nic): NicState => ({ connected: cables.has(key(instance, nic)), linkUp: true }),
      plug: () => {
        throw new Error('No device of this process is under test')
      },
      plugUdp: (nic, options) => plugUdp(key(instance, nic), options),
    }),
  }
}

export type BenchNetwork = ReturnType<typeof createBenchNetwork>
