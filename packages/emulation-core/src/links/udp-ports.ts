import { createKeyedLocks } from '../locks/keyed-locks.ts'
import type { PortAllocator } from '../ports/port-allocator.ts'
import type { Project } from '../projects/project.ts'
import { type Nic, nicKey } from './nic.ts'
import { createPortOwners, type OwnerId } from './port-owners.ts'

/**
 * Keeps which NIC uses which UDP port, which ports are reserved for later NICs, and which are kept because NICs point at
 * them: the projects of another owner cannot become the other end of those.
 */
export interface UdpPorts {
  /**
   * Reserves the lowest free port for `reservationSeconds`; `undefined` when every port is taken.
   *
   * @param project the project whose NICs alone may take it; absent: those of all projects without an owner
   */
  reserve(project?: PortProject): Promise<number | undefined>
  /** Takes a port for a NIC of a project: a reserved one, its own, one at which NICs of its owner point, or a free one. */
  attach(port: number, nic: Nic, project: PortProject): Promise<'attached' | 'taken' | 'in-use' | 'privileged'>
  /** Whether a port is reserved for NICs of other projects, or of any. */
  isReserved(port: number, project: PortProject): boolean
  /** Takes a port for a NIC that had it in the last run. Runs before {@link restoreTarget} of any NIC. */
  restore(port: number, nic: Nic, project: PortProject): void
  /** Frees the port of a NIC. No effect where another NIC has it. */
  detach(port: number, nic: Nic): void
  /** Frees the port of a NIC whose connection failed. A port that was reserved is reserved again. */
  giveBack(port: number, nic: Nic): void

  /** Keeps a port of this machine for the projects of the owner, as a NIC sends its frames there. */
  pointAt(port: number, nic: Nic, project: PortProject): Promise<void>
  /**
   * Does the same for a NIC that pointed at the port in the last run. A port at which NICs of several owners pointed,
   * and which no NIC has, is kept from all of them.
   */
  restoreTarget(port: number, nic: Nic, project: PortProject): void
  /** Lists the ports at which a NIC points: more than one only while its connection is being replaced. */
  targetsOf(nic: Nic): readonly number[]
  /** Ends what {@link pointAt} does for a NIC, except for these ports. */
  keepTargets(nic: Nic, kept: readonly number[]): void
}

/** The parts of a project that decide about ports. */
export type PortProject = Pick<Project, 'id' | 'ownerId'>

interface Reservation {
  /** In Unix milliseconds. */
  readonly end: number
  readonly project: PortProject | undefined
}

interface Holder {
  readonly nic: Nic
  readonly ownerId: OwnerId
}

export interface UdpPortsOptions {
  readonly ports: PortAllocator
  readonly now: () => Date
  readonly reservationSeconds: number
}

/** Uses of a port beside those by NICs that point at it, which have the key of the NIC. */
const HELD = 'held'
const RESERVED = 'reserved'

export function createUdpPorts({ ports, now, reservationSeconds }: UdpPortsOptions): UdpPorts {
  const holders = new Map<number, Holder>()
  const fromReservation = new Map<number, Reservation>()
  /** Reservations by port, the earliest end first. */
  const reservations = new Map<number, Reservation>()
  const owners = createPortOwners()
  /** By the key of a NIC: the owner of its project by port. */
  const targets = new Map<string, Map<number, OwnerId>>()
  /** Ports that are taken from the allocator only because NICs point at them. */
  const kept = new Set<number>()
  const locks = createKeyedLocks()

  /** Gives a port back to the allocator unless it is still used. */
  const free = (port: number) => {
    if (owners.isUsed(port)) kept.add(port)
    else ports.release('udp', port)
  }

  const dropExpired = () => {
    for (const [port, { end, project }] of reservations) {
      if (end > now().getTime()) return
      reservations.delete(port)
      owners.remove(port, project?.ownerId, RESERVED)
      free(port)
    }
  }

  const reserve = (port: number, project: PortProject | undefined) => {
    reservations.set(port, { end: now().getTime() + reservationSeconds * 1000, project })
    owners.add(port, project?.ownerId, RESERVED)
  }

  /** Takes a port from the allocator. That a kept port is unused by other programs is checked again. */
  const claim = (port: number) => {
    if (kept.delete(port)) ports.release('udp', port)
    return ports.claim('udp', port)
  }

  const hold = (port: number, nic: Nic, { ownerId }: PortProject) => {
    holders.set(port, { nic, ownerId })
    owners.add(port, ownerId, HELD)
  }

  /** @returns what the NIC had; `undefined` where it did not have the port */
  const removeHolder = (port: number, nic: Nic): Holder | undefined => {
    const holder = holders.get(port)
    if (!holder || nicKey(holder.nic) !== nicKey(nic)) return undefined
    holders.delete(port)
    return holder
  }

  const addTarget = (port: number, nic: Nic, { ownerId }: PortProject) => {
    const key = nicKey(nic)
    targets.set(key, (targets.get(key) ?? new Map<number, OwnerId>()).set(port, ownerId))
    owners.add(port, ownerId, key)
  }

  const isTaken = (port: number) => holders.has(port) || reservations.has(port) || kept.has(port)

  return {
    reserve: async (project) => {
      dropExpired()
      while (true) {
        const port = await ports.allocate('udp')
        if (port === undefined) return undefined
        if (owners.isUsed(port)) {
          // It was in use elsewhere when a NIC was pointed at it.
          kept.add(port)
          continue
        }
        reserve(port, project)
        return port
      }
    },
    attach: (port, nic, project) =>
      locks.exclusive(`${port}`, async () => {
        const holder = holders.get(port)
        if (holder) return nicKey(holder.nic) === nicKey(nic) ? 'attached' : 'taken'
        const reservation = reservations.get(port)
        if (reservation ? !isFor(reservation, project) : !owners.admits(port, project.ownerId)) return 'taken'
        if (!reservation) {
          const claimed = await claim(port)
          if (claimed !== 'claimed') return claimed
        }
        hold(port, nic, project)
        if (reservation) {
          reservations.delete(port)
          fromReservation.set(port, reservation)
          owners.remove(port, project.ownerId, RESERVED)
        }
        return 'attached'
      }),
    isReserved: (port, { id }) => {
      dropExpired()
      const reservation = reservations.get(port)
      return reservation !== undefined && reservation.project?.id !== id
    },
    restore: (port, nic, project) => {
      ports.restore('udp', port)
      kept.delete(port)
      hold(port, nic, project)
    },
    detach: (port, nic) => {
      const holder = removeHolder(port, nic)
      if (!holder) return
      fromReservation.delete(port)
      owners.remove(port, holder.ownerId, HELD)
      free(port)
    },
    giveBack: (port, nic) => {
      const holder = removeHolder(port, nic)
      if (!holder) return
      const reservation = fromReservation.get(port)
      fromReservation.delete(port)
      // Before the end of the other use: the owner would lose the port in between.
      if (reservation) reserve(port, reservation.project)
      owners.remove(port, holder.ownerId, HELD)
      if (!reservation) free(port)
    },

    pointAt: (port, nic, project) =>
      locks.exclusive(`${port}`, async () => {
        addTarget(port, nic, project)
        if (!isTaken(port) && (await claim(port)) === 'claimed') free(port)
      }),
    restoreTarget: (port, nic, project) => {
      addTarget(port, nic, project)
      if (!holders.has(port)) owners.contest(port)
      if (isTaken(port)) return
      ports.restore('udp', port)
      kept.add(port)
    },
    targetsOf: (nic) => [...(targets.get(nicKey(nic))?.keys() ?? [])],
    keepTargets: (nic, remaining) => {
      const key = nicKey(nic)
      const own = targets.get(key)
      for (const [port, ownerId] of own ?? []) {
        if (remaining.includes(port)) continue
        own?.delete(port)
        owners.remove(port, ownerId, key)
        if (!owners.isUsed(port) && kept.delete(port)) ports.release('udp', port)
      }
      if (own?.size === 0) targets.delete(key)
    },
  }
}

/** Another project could become the other end of a link by taking a port that was reserved for it. */
const isFor = ({ project }: Reservation, { id, ownerId }: PortProject): boolean =>
  project === undefined ? ownerId === undefined : project.id === id
