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
  /** The number of network adapters with one port each; over HTTP 0 to 275. @default 1 */
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
  /** The path of the image of a third disk, as `primaryDisk`. @default '' */
  readonly tertiaryDisk: string
  /** The path of the image of a fourth disk, as `primaryDisk`. @default '' */
  readonly quaternaryDisk: string
  /** The bus of the first disk. @default 'ide' */
  readonly primaryDiskInterface: DiskInterface
  /** @default 'ide' */
  readonly secondaryDiskInterface: DiskInterface
  /** @default 'ide' */
  readonly tertiaryDiskInterface: DiskInterface
  /** @default 'ide' */
  readonly quaternaryDiskInterface: DiskInterface
  /** The path of the image of a CD-ROM, which the guest only reads. Empty without one. @default '' */
  readonly cdromImage: string
  /** The path of firmware that replaces that of the emulator. Excludes `uefi`. Empty without one. @default '' */
  readonly biosImage: string
  /** Whether the machine starts by UEFI, with variables of its own. @default false */
  readonly uefi: boolean
  /** The devices from which firmware other than UEFI starts, in this order. @default 'c' */
  readonly bootPriority: BootPriority
  /** The address of the first adapter. Each further adapter has the next one. Empty for {@link machineMac}. @default '' */
  readonly macAddress: string
  /** The number of processors; over HTTP 1 to 255. @default 1 */
  readonly cpus: number
  /** The most processors, with those that can be added later. Less than `cpus` means `cpus`. @default 1 */
  readonly maxCpus: number
  /** The number of serial ports, 1 to 4. The first is the text console. Others are connected to nothing. @default 1 */
  readonly serialPorts: number
  /** What the console port is. The first serial port is on WebSockets with every type but `none`. @default 'telnet' */
  readonly consoleType: MachineConsoleType
  /** What a stop does first: cut the power, or press the power button and wait at most 30 seconds. @default 'power-off' */
  readonly closeAction: CloseAction
  /** Models and addresses of single adapters. Over HTTP one for each adapter at most. @default [] */
  readonly customAdapters: readonly CustomAdapter[]
  /** A note for users of the machine, over HTTP at most 16,384 characters. @default '' */
  readonly usage: string
}

/** Buses of disks. A disk of `none` is attached only where the options have a device for its drive. */
export const diskInterfaces = ['ide', 'sata', 'scsi', 'virtio', 'nvme', 'none'] as const

/** The bus of a disk. `ide` is the default bus of the board, which is IDE on a PC. */
export type DiskInterface = (typeof diskInterfaces)[number]

export const bootPriorities = ['c', 'd', 'n', 'cn', 'cd', 'dn', 'dc', 'nc', 'nd'] as const

/** An order of devices: `c` is the first disk, `d` the CD-ROM, `n` the network. */
export type BootPriority = (typeof bootPriorities)[number]

export const machineConsoleTypes = ['telnet', 'vnc', 'spice', 'spice+agent', 'none'] as const

/** What is at the console port: the first serial port, or the display. `spice+agent` has a channel for SPICE's agent. */
export type MachineConsoleType = (typeof machineConsoleTypes)[number]

export const closeActions = ['power-off', 'shutdown-signal'] as const

/** How a machine stops. */
export type CloseAction = (typeof closeActions)[number]

/** What one adapter of a machine has instead of the common settings. */
export interface CustomAdapter {
  /** From 0, less than 275. */
  readonly adapter: number
  /** @default the `adapterType` of the machine */
  readonly adapterType?: string
  /** @default the address that follows from the `macAddress` of the machine */
  readonly macAddress?: string
  /** The name of its port, for clients. */
  readonly portName?: string
}

export const processPriorities = ['realtime', 'very high', 'high', 'normal', 'low', 'very low'] as const

/** The priority of a machine's process. */
export type ProcessPriority = (typeof processPriorities)[number]
