/** Ports of a lab that end in network devices of the host: TAP devices, bridges and interfaces. */
export interface CloudSettings {
  /**
   * At most 32 ports, each number and each device once.
   *
   * @default []
   */
  readonly ports: readonly CloudPort[]
}

/** One port and its device. */
export interface CloudPort {
  /** 0 to 31. */
  readonly port: number
  /** The name of a TAP device, a bridge or another interface of the host, such as `br0`. */
  readonly device: string
}
