/** An image of a router operating system that runs as a process. */
export interface RouterSettings {
  /** The path of the image. A relative path is resolved in the host's directory of images, and stored as absolute. */
  readonly image: string
  /** A TCP port. */
  readonly console: number
  /** The number of Ethernet adapters, with four ports each; over HTTP 0 to 16. */
  readonly ethernetAdapters: number
  /**
   * The number of serial adapters, with four ports each; over HTTP 0 to 16. They are numbered after the Ethernet
   * adapters.
   */
  readonly serialAdapters: number
  readonly memoryMegabytes: number
  readonly nvramKilobytes: number
  /** Whether Ethernet interfaces go down when the other end of their link does. */
  readonly keepalives: boolean
}
