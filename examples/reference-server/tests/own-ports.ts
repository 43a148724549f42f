import { createServer } from 'node:net'

export interface OwnPorts {
  readonly consolePorts: PortRange
  readonly udpPorts: PortRange
}

interface PortRange {
  readonly first: number
  readonly last: number
}

/** The ranges are above the default ports of a server, and below the ports of the tests of packages. */
const LOWEST = 20_500
const RANGES = 44
const RANGE_LENGTH = 200
const CONSOLES = 99
const FREE_WITHIN_MS = 60_000

let held: Promise<OwnPorts> | undefined

/** Returns ports that no other test process uses until this one ends: it listens on the first of them. */
export function ownPorts(): Promise<OwnPorts> {
  held ??= holdPorts()
  return held
}

async function holdPorts(): Promise<OwnPorts> {
  const deadline = performance.now() + FREE_WITHIN_MS
  for (let range = 0; performance.now() < deadline; range = (range + 1) % RANGES) {
    const guard = LOWEST + range * RANGE_LENGTH
    const [first, firstUdp] = [guard + 1, guard + 1 + CONSOLES]
    if (await isHeld(guard)) continue
    return {
      consolePorts: { first, last: firstUdp - 1 },
      udpPorts: { first: firstUdp, last: guard + RANGE_LENGTH - 1 },
    }
  }
  throw new Error('other tests hold every range of ports')
}

/** Returns the ports as settings of a server. */
export async function ownPortSettings() {
  const { consolePorts, udpPorts } = await ownPorts()
  const text = ({ first, last }: PortRange) => `${first}-${last}`
  return { TRIVIUM_CONSOLE_PORTS: text(consolePorts), TRIVIUM_UDP_PORTS: text(udpPorts) }
}

const isHeld = (guard: number): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(true) : reject(error),
    )
    server.listen(guard, '127.0.0.1', () => resolve(false)).unref()
  })
