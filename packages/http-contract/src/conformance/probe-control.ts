/** What a test reads and sets of the probe, in this process or in that of the host. */
export interface ProbeControl {
  /** Resolves once a handler has reported the entry; immediately if one already has. */
  readonly seen: (entry: string) => Promise<void>
  /** Returns what handlers have reported, in order. */
  readonly entries: () => Promise<readonly string[]>
  /** Returns the number of bytes that endless sources have produced so far. */
  readonly produced: () => Promise<number>
  /** Opens a gate, for present and later waiters. */
  readonly open: (gate: string) => void
}
