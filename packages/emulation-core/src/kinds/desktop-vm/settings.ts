/** A VM of a desktop virtualization product. Defaults are those of a new instance. */
export interface DesktopVmSettings {
  /** The name of the VM inside the product. */
  readonly machineName: string
  /**
   * The VM of which `machineName` is a linked clone, made at the first start; empty where an existing VM is wrapped.
   */
  readonly cloneOf: string
  /** A TCP port from 1 to 65,535. @default an allocated port */
  readonly console: number
  /** Whether a running VM has a console. @default false */
  readonly remoteConsole: boolean
  /** Whether the VM runs without a window. @default false */
  readonly headless: boolean
  /** The number of network adapters with one port each; over HTTP 0 to 36. @default 0 */
  readonly adapters: number
  /** The product's name of the adapter type. @default 'Intel PRO/1000 MT Desktop (82540EM)' */
  readonly adapterType: string
  /** Whether to take adapters that the product has attached to something else. @default false */
  readonly useAnyAdapter: boolean
}
