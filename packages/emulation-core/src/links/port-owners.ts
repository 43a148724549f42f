/** The owner of projects: a user of the host, or absent for projects without one. */
export type OwnerId = string | undefined

/** Keeps whose projects use a UDP port. The first owner to use it has it until their last use ends. */
export interface PortOwners {
  /** Adds a use of a port, such as a NIC that points at it. No effect where the owner has it already. */
  add(port: number, ownerId: OwnerId, use: string): void
  /** Ends a use. The port passes on to the owner that used it next. */
  remove(port: number, ownerId: OwnerId, use: string): void
  /**
   * Keeps a port from all owners until one of them is left: for uses of the last run, whose order is unknown. No effect
   * on a port of one owner.
   */
  contest(port: number): void
  /** Whether anyone uses the port. */
  isUsed(port: number): boolean
  /** Whether no other owner has the port. */
  admits(port: number, ownerId: OwnerId): boolean
}

export function createPortOwners(): PortOwners {
  /** Uses by port and owner, the owner that has the port first. */
  const uses = new Map<number, Map<OwnerId, Set<string>>>()
  const contested = new Set<number>()

  return {
    add: (port, ownerId, use) => {
      const owners = uses.get(port) ?? new Map<OwnerId, Set<string>>()
      uses.set(port, owners.set(ownerId, (owners.get(ownerId) ?? new Set()).add(use)))
    },
    remove: (port, ownerId, use) => {
      const owners = uses.get(port)
      const own = owners?.get(ownerId)
      if (!owners || !own?.delete(use)) return
      if (own.size === 0) owners.delete(ownerId)
      if (owners.size < 2) contested.delete(port)
      if (owners.size === 0) uses.delete(port)
    },
    contest: (port) => {
      if ((uses.get(port)?.size ?? 0) > 1) contested.add(port)
    },
    isUsed: (port) => uses.has(port),
    admits: (port, ownerId) => {
      const owners = uses.get(port)
      return !owners || (!contested.has(port) && owners.keys().next().value === ownerId)
    },
  }
}
