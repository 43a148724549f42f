/** The id of a process that works on jobs and splits, among those that share its store. */
export interface Worker {
  /** Unique among all processes, also later ones. At most 255 characters. */
  readonly id: string
  /**
   * Whether the process of that id has certainly ended. `false` when it is alive, on another machine, or of another
   * kind of worker. Its work is then taken over when its lease has ended.
   */
  hasEnded(id: string): Promise<boolean>
}

/** Creates a worker that is never certain that another has ended. */
export const uncertainWorker = (id: string): Worker => ({ id, hasEnded: async () => false })
