/** How a process that works on jobs and splits is known to the others that share its store. */
export interface Worker {
  /** Distinguishes it from every other process, also from later ones. At most 255 characters. */
  readonly id: string
  /**
   * Whether the process of that id has ended for certain. `false` of one that is alive, that is on another machine, or
   * whose id was not made by the same kind of worker: its work is taken over when its lease has ended.
   */
  hasEnded(id: string): Promise<boolean>
}

/** One that is never certain of another. */
export const unsureWorker = (id: string): Worker => ({ id, hasEnded: async () => false })
