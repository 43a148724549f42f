import { portProbe } from '@trivium/embedded-emulators'
import { createPortAllocator } from '@trivium/emulation-core'

/** A port below those that the system assigns, which differs between runs. */
const FIRST_PORT = 21_000 + (process.pid % 10) * 1_000

/** Returns two free ports whose next higher ports are free as well. */
export async function freePorts(): Promise<readonly [number, number]> {
  const ports = createPortAllocator({
    isFree: portProbe(),
    udpPorts: { first: FIRST_PORT, last: FIRST_PORT + 999 },
  })
  for (;;) {
    const four = [
      await ports.allocate('udp'),
      await ports.allocate('udp'),
      await ports.allocate('udp'),
      await ports.allocate('udp'),
    ]
    const [one, next, other, last] = four
    if (one === undefined || other === undefined || last === undefined) throw new Error('no UDP port is free')
    if (next === one + 1 && last === other + 1) return [one, other]
  }
}
