/** Console ports are TCP; UDP ports are for links. */
export type PortUse = 'console' | 'udp'

/** Both ends included. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

/**
 * Which port numbers of the server are taken. One allocator serves everything of one process; the core takes stored
 * ports again at a start. `createPortAllocator` makes one from a function that tries a port.
 */
export interface PortAllocator {
  /** Takes the lowest port of the range that is neither taken nor in use by another program; `undefined` when none is. */
  allocate(use: PortUse): Promise<number | undefined>
  /**
   * Takes this very number, also outside the range.
   *
   * @returns `taken` where it is taken here, `in-use` where another program has it, `privileged` where it is
   * below 1024 and outside the range
   */
  claim(use: PortUse, port: number): Promise<'claimed' | 'taken' | 'in-use' | 'privileged'>
  /** Takes this very number whoever else uses it: for ports that were given out before a restart. */
  restore(use: PortUse, port: number): void
  /** Nothing happens where it was not taken. */
  release(use: PortUse, port: number): void
  range(use: PortUse): PortRange
}
