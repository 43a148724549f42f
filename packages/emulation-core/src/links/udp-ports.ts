import type { PortAllocator } from '../ports/port-allocator.ts'
import type { Project, ProjectId } from '../projects/project.ts'
import { type Nic, nicKey } from './nic.ts'

/** Keeps which NIC uses which UDP port, and which ports are reserved for later NICs. */
export interface UdpPorts {
  /**
   * Reserves the lowest free port for `reservationSeconds`; `undefined` when every port is taken.
   *
   * @param projectId the project whose NICs alone may take it; absent: those of all projects without an owner
   */
  reserve(projectId?: ProjectId): Promise<number | undefined>
  /** Takes a port for a NIC of a project: a reserved one, its own, or a free one. */
  attach(port: number, nic: Nic, project: PortProject): Promise<'attached' | 'taken' | 'in-use' | 'privileged'>
  /** Takes a port for a NIC that had it in the last run. */
  restore(port: number, nic: Nic): void
  /** Frees the port of a NIC. No effect where another NIC has it. */
  detach(port: number, nic: Nic): void
  /** Frees the port of a NIC whose connection failed. A port that was reserved is reserved again. */
  giveBack(port: number, nic: Nic): void
}

/** The parts of a project that decide about ports. */
export type PortProject = Pick<Project, 'id' | 'ownerId'>

interface Reservation {
  /** In Unix milliseconds. */
  readonly end: number
  readonly projectId: ProjectId | undefined
}

export interface UdpPortsOptions {
  readonly ports: PortAllocator
  readonly now: () => Date
  readonly reservationSeconds: number
}

export function createUdpPorts({ ports, now, reservationSeconds }: UdpPortsOptions): UdpPorts {
  const holders = new Map<number, Nic>()
  const fromReservation = new Map<number, Reservation>()
  /** Reservations by port, the earliest end first. */
  const reservations = new Map<number, Reservation>()

  const dropExpired = () => {
    for (const [port, { end }] of reservations) {
      if (end > now().getTime()) return
      reservations.delete(port)
      ports.release('udp', port)
    }
  }

  const reserve = (port: number, projectId: ProjectId | undefined) =>
    void reservations.set(port, { end: now().getTime() + reservationSeconds * 1000, projectId })

  /** @returns whether the NIC had the port */
  const removeHolder = (port: number, nic: Nic): boolean => {
    const holder = holders.get(port)
    return holder !== undefined && nicKey(holder) === nicKey(nic) && holders.delete(port)
  }

  return {
    reserve: async (projectId) => {
      dropExpired()
      const port = await ports.allocate('udp')
      if (port !== undefined) reserve(port, projectId)
      return port
    },
    attach: async (port, nic, project) => {
      const holder = holders.get(port)
      if (holder) return nicKey(holder) === nicKey(nic) ? 'attached' : 'taken'
      const reservation = reservations.get(port)
      if (reservation) {
        if (!isFor(reservation, project)) return 'taken'
        reservations.delete(port)
        fromReservation.set(port, reservation)
      } else {
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
      const reservation = fromReservation.get(port)
      fromReservation.delete(port)
      if (reservation) reserve(port, reservation.projectId)
      else ports.release('udp', port)
    },
  }
}

/** Another project could become the other end of a link by taking a port that was reserved for it. */
const isFor = ({ projectId }: Reservation, { id, ownerId }: PortProject): boolean =>
  projectId === undefined ? ownerId === undefined : projectId === id
