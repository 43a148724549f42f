/** A VM of a desktop virtualization product. */
export interface DesktopVmSettings {
  /** The name of the VM inside the product. */
  readonly machineName: string
  /**
   * The VM of which `machineName` is a linked clone, made at the first start; empty where an existing VM is wrapped.
   */
  readonly cloneOf: string
  /** A TCP port. */
  readonly console: number
  /** Whether a running VM has a console. */
  readonly remoteConsole: boolean
  /** Whether the VM runs without a window. */
  readonly headless: boolean
  /** The number of network adapters with one port each; over HTTP 0 to 36. */
  readonly adapters: number
  /** The product's name of the adapter type. */
  readonly adapterType: string
  /** Whether to take adapters that the product has attached to something else. */
  readonly useAnyAdapter: boolean
}
