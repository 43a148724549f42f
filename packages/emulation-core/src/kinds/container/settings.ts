/** A container of an image that the host allows, with Ethernet adapters of the lab and no other network. */
export interface ContainerSettings {
  /** The name of an image that the host has, such as `localhost/frr:10`. 1 to 255 characters. */
  readonly image: string
  /** A TCP port from 1 to 65,535. @default an allocated port */
  readonly console: number
  /** @default 'telnet' */
  readonly consoleType: ContainerConsoleType
  /** The program of the console with its arguments, quoted as in a shell. At most 4,096 characters. @default '/bin/sh' */
  readonly consoleCommand: string
  /**
   * The program of the container with its arguments, quoted as in a shell; at most 4,096 characters. They are not passed
   * to a shell. Empty for the command of the image.
   *
   * @default ''
   */
  readonly startCommand: string
  /** Variables as `NAME=value`, each name once. At most 64 of at most 4,096 characters. @default [] */
  readonly environment: readonly string[]
  /** The number of network adapters with one port each, 1 to 32. The first is `eth0` in the container. @default 1 */
  readonly adapters: number
  /** The most memory of all its processes, in MiB: 6 to 1,048,576. Swap space is not added. @default 256 */
  readonly memoryMegabytes: number
  /** The most processor time, in cores: 0.01 to 256. @default 1 */
  readonly cpus: number
  /**
   * Directories of the container that are kept in the directory of the instance: absolute paths, at most 16. They are
   * empty at first. Everything else is that of the image again at each start.
   *
   * @default []
   */
  readonly volumes: readonly string[]
  /**
   * The file of the container that gets the startup configuration at each start: an absolute path. Its directory must
   * exist in the image. Empty for no file.
   *
   * @default ''
   */
  readonly startupConfigPath: string
}

export const containerConsoleTypes = ['telnet', 'none'] as const

/** Whether a container has a console. */
export type ContainerConsoleType = (typeof containerConsoleTypes)[number]
