import type { LinkRelay, Nic, PortAllocator, UdpNio } from '@trivium/emulation-core/ports'
import { takePort } from './test-ports.ts'

/** Returns a function that connects two NICs of a relay with each other, over two free ports. */
export const testCable =
  (relay: Pick<LinkRelay, 'connect'>, ports: PortAllocator) =>
  async (one: Nic, other: Nic): Promise<void> => {
    const [near, far] = [await takePort(ports, 'udp'), await takePort(ports, 'udp')]
    const nio = (localPort: number, remotePort: number): UdpNio => ({
      type: 'udp',
      localPort,
      remoteHost: '127.0.0.1',
      remotePort,
    })
    await relay.connect(one, nio(near, far))
    await relay.connect(other, nio(far, near))
  }
