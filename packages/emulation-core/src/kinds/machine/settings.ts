/** A full-system machine emulator's VM. */
export interface MachineSettings {
  /** The emulator's program: a path, or a name that the host's emulator resolves. */
  readonly program: string
  readonly console: number
  /** TCP port of the emulator's own monitor, on loopback. */
  readonly monitor: number
  readonly memoryMegabytes: number
  readonly adapters: number
  readonly adapterType: string
  /** The most CPU it may take, where 100 is one core; 0 sets no bound. */
  readonly cpuThrottlingPercent: number
  readonly priority: ProcessPriority
  /** Images are backing files: the instance writes to an overlay of its own. An empty string is no disk. */
  readonly primaryDisk: string
  readonly secondaryDisk: string
  readonly initialRamDisk: string
  readonly kernelImage: string
  readonly kernelCommandLine: string
  /** More arguments for the program, as one shell-like line; never given to a shell. */
  readonly options: string
  readonly legacyNetworking: boolean
}

export const processPriorities = ['realtime', 'very high', 'high', 'normal', 'low', 'very low'] as const

/** How the operating system should schedule a machine's process. */
export type ProcessPriority = (typeof processPriorities)[number]
