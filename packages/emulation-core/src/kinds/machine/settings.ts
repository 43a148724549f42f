/** A VM of a full-system machine emulator. */
export interface MachineSettings {
  /** The program of the emulator: a path, or a name that the host's emulator resolves. */
  readonly program: string
  /** A TCP port. */
  readonly console: number
  /** The TCP port of the emulator's own monitor, on loopback. */
  readonly monitor: number
  readonly memoryMegabytes: number
  /** The number of network adapters with one port each; over HTTP 0 to 32. */
  readonly adapters: number
  /** The emulator's name of the adapter model, such as `e1000`. */
  readonly adapterType: string
  /** The most CPU that it may use, in percent of one core. 0 is unlimited. */
  readonly cpuThrottlingPercent: number
  readonly priority: ProcessPriority
  /** The path of an image, used as a backing file of the instance's own overlay. Empty without a disk. */
  readonly primaryDisk: string
  /** As `primaryDisk`. */
  readonly secondaryDisk: string
  /** The path of an initrd. Empty without one. */
  readonly initialRamDisk: string
  /** The path of a kernel. Empty to boot from a disk. */
  readonly kernelImage: string
  /** The arguments of the kernel. */
  readonly kernelCommandLine: string
  /** Further arguments of the program, quoted as in a shell. They are not passed to a shell. */
  readonly options: string
  /** Whether to use the old `-net` options of the emulator, where it supports them. */
  readonly legacyNetworking: boolean
}

export const processPriorities = ['realtime', 'very high', 'high', 'normal', 'low', 'very low'] as const

/** The priority of a machine's process. */
export type ProcessPriority = (typeof processPriorities)[number]
