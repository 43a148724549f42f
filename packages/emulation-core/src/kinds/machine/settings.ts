/** A VM of a full-system machine emulator. Defaults are those of a new instance. */
export interface MachineSettings {
  /** The program of the emulator: a path, or a name that the host's emulator resolves. */
  readonly program: string
  /** A TCP port from 1 to 65,535. @default an allocated port */
  readonly console: number
  /** The TCP port of the emulator's own monitor, on loopback. @default an allocated port */
  readonly monitor: number
  /** The main memory of the machine. Over HTTP 1 to 1,048,576. @default 256 */
  readonly memoryMegabytes: number
  /** The number of network adapters with one port each; over HTTP 0 to 32. @default 1 */
  readonly adapters: number
  /** The emulator's name of the adapter model. @default 'e1000' */
  readonly adapterType: string
  /** The most CPU that it may use, in percent of one core; over HTTP 0 to 800. 0 is unlimited. @default 0 */
  readonly cpuThrottlingPercent: number
  /** @default 'low' */
  readonly priority: ProcessPriority
  /** The path of an image, used as a backing file of the instance's own overlay. Empty without a disk. @default '' */
  readonly primaryDisk: string
  /** The path of the image of a second disk, as `primaryDisk`. @default '' */
  readonly secondaryDisk: string
  /** The path of an initrd. Empty without one. @default '' */
  readonly initialRamDisk: string
  /** The path of a kernel. Empty to boot from a disk. @default '' */
  readonly kernelImage: string
  /** The arguments of the kernel, over HTTP at most 16,384 characters. @default '' */
  readonly kernelCommandLine: string
  /**
   * Further arguments of the program, quoted as in a shell; over HTTP at most 16,384 characters. They are not passed to
   * a shell.
   *
   * @default ''
   */
  readonly options: string
  /** Whether to use the old `-net` options of the emulator, where it supports them. @default false */
  readonly legacyNetworking: boolean
}

export const processPriorities = ['realtime', 'very high', 'high', 'normal', 'low', 'very low'] as const

/** The priority of a machine's process. */
export type ProcessPriority = (typeof processPriorities)[number]
