/** A router operating system's image, run as a process. */
export interface RouterSettings {
  /** The image. A relative path is resolved in the host's directory of images, and stored absolute. */
  readonly image: string
  readonly console: number
  /** Each has four ports. */
  readonly ethernetAdapters: number
  /** Each has four ports; their adapter numbers follow those of the Ethernet adapters. */
  readonly serialAdapters: number
  readonly memoryMegabytes: number
  readonly nvramKilobytes: number
  /** Ethernet interfaces go down with the other end of their link. */
  readonly keepalives: boolean
}
