/** The scripts of one virtual PC. Both methods reject with a `Refusal` for a name that is not a plain file name. */
export interface PcFiles {
  /** Returns `undefined` when the file is absent. */
  read(name: string): Promise<string | undefined>
  write(name: string, content: string): Promise<void>
}

export const STARTUP_SCRIPT = 'startup.vpc'
