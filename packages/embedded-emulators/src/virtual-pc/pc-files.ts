/** Scripts of one virtual PC. Names are checked by the implementation; rejects with a `Refusal` for those it can't take. */
export interface PcFiles {
  /** `undefined` when absent. */
  read(name: string): Promise<string | undefined>
  write(name: string, content: string): Promise<void>
}

export const STARTUP_SCRIPT = 'startup.vpc'
