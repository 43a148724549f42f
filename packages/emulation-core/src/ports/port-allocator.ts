/** The use of a port: consoles are TCP, links are UDP. */
export type PortUse = 'console' | 'udp'

/** A range of ports, both ends included. */
export interface PortRange {
  /** The lowest port of the range. */
  readonly first: number
  /** The highest port of the range, at most 65,535. */
  readonly last: number
}

/**
 * Keeps which port numbers of the server are taken. One allocator serves one process. The core takes stored ports again
 * at a start. `createPortAllocator` creates one from a function that checks a port.
 */
export interface PortAllocator {
  /**
   * Takes the lowest port of the range that is neither taken nor used by another program. Concurrent callers get
   * different ports.
   *
   * @returns the port; `undefined` where the range has no free one
   */
  allocate(use: PortUse): Promise<number | undefined>
  /**
   * Takes this number, also outside the range.
   *
   * @returns `taken` where this allocator has given it out, `in-use` where another program uses it, `privileged` where
   * it is below 1024 and outside the range
   */
  claim(use: PortUse, port: number): Promise<'claimed' | 'taken' | 'in-use' | 'privileged'>
  /** Takes this number without a check, for a port that was allocated before a restart. */
  restore(use: PortUse, port: number): void
  /** Frees a port. No effect where it was not taken. */
  release(use: PortUse, port: number): void
  /** Returns the range from which ports are allocated. */
  range(use: PortUse): PortRange
}
