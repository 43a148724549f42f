import type { PortAllocator } from '../ports/port-allocator.ts'
import { type Nic, nicKey } from './nic.ts'

/** Keeps which NIC uses which UDP port, and which ports are reserved for later NICs. */
export interface UdpPorts {
  /** Reserves the lowest free port for `reservationSeconds`; `undefined` when every port is taken. */
  reserve(): Promise<number | undefined>
  /** Takes a port for a NIC: a reserved one, its own, or a free one. */
  attach(port: number, nic: Nic): Promise<'attached' | 'taken' | 'in-use' | 'privileged'>
  /** Takes a port for a NIC that had it in the last run. */
  restore(port: number, nic: Nic): void
  /** Frees the port of a NIC. No effect where another NIC has it. */
  detach(port: number, nic: Nic): void
  /** Frees the port of a NIC whose connection failed. A port that was reserved is reserved again. */
  giveBack(port: number, nic: Nic): void
}

export interface UdpPortsOptions {
  readonly ports: PortAllocator
  readonly now: () => Date
  readonly reservationSeconds: number
}

export function createUdpPorts({ ports, now, reservationSeconds }: UdpPortsOptions): UdpPorts {
  const holders = new Map<number, Nic>()
  const fromReservation = new Set<number>()
  /** Ends of the reservations in Unix milliseconds by port, the earliest first. */
  const reservations = new Map<number, number>()

  const dropExpired = () => {
    for (const [port, end] of reservations) {
      if (end > now().getTime()) return
      reservations.delete(port)
      ports.release('udp', port)
    }
  }

  const reserve = (port: number) => void reservations.set(port, now().getTime() + reservationSeconds * 1000)

  /** @returns whether the NIC had the port */
  const removeHolder = (port: number, nic: Nic): boolean => {
    const holder = holders.get(port)
    return holder !== undefined && nicKey(holder) === nicKey(nic) && holders.delete(port)
  }

  return {
    reserve: async () => {
      dropExpired()
      const port = await ports.allocate('udp')
      if (port !== undefined) reserve(port)
      return port
    },
    attach: async (port, nic) => {
      const holder = holders.get(port)
      if (holder) return nicKey(holder) === nicKey(nic) ? 'attached' : 'taken'
      if (reservations.delete(port)) fromReservation.add(port)
      else {
        const claim = await ports.claim('udp', port)
        if (claim !== 'claimed') return claim
      }
      holders.set(port, nic)
      return 'attached'
    },
    restore: (port, nic) => {
      ports.restore('udp', port)
      holders.set(port, nic)
    },
    detach: (port, nic) => {
      if (!removeHolder(port, nic)) return
      fromReservation.delete(port)
      ports.release('udp', port)
    },
    giveBack: (port, nic) => {
      if (!removeHolder(port, nic)) return
      if (fromReservation.delete(port)) reserve(port)
      else ports.release('udp', port)
    },
  }
}
