/** An image of a router operating system that runs as a process. Defaults are those of a new instance. */
export interface RouterSettings {
  /** The path of the image. A relative path is resolved in the host's directory of images, and stored as absolute. */
  readonly image: string
  /** A TCP port from 1 to 65,535. @default an allocated port */
  readonly console: number
  /** The number of Ethernet adapters, with four ports each; over HTTP 0 to 16. @default 2 */
  readonly ethernetAdapters: number
  /**
   * The number of serial adapters, with four ports each; over HTTP 0 to 16. They are numbered after the Ethernet
   * adapters.
   *
   * @default 2
   */
  readonly serialAdapters: number
  /** The main memory of the router. Over HTTP 1 to 1,048,576. @default 256 */
  readonly memoryMegabytes: number
  /** The memory in which the router saves its configuration. Over HTTP 1 to 1,048,576. @default 128 */
  readonly nvramKilobytes: number
  /**
   * Whether Ethernet interfaces go down when the other end of their link does. The image has to support it.
   *
   * @default false
   */
  readonly keepalives: boolean
}
