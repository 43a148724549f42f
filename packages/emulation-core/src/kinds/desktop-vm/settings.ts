/** A VM of a desktop virtualization product. */
export interface DesktopVmSettings {
  /** The VM's name inside the product. */
  readonly machineName: string
  /** The VM of which `machineName` is a linked clone, made at the first start; empty where an existing VM is wrapped. */
  readonly cloneOf: string
  readonly console: number
  readonly remoteConsole: boolean
  readonly headless: boolean
  readonly adapters: number
  readonly adapterType: string
  /** Take adapters that the product has attached to something else. */
  readonly useAnyAdapter: boolean
}
