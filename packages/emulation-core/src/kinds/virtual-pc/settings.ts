/** A lightweight virtual PC: a shell with `ip`, `ping` and `trace`, and one Ethernet port. */
export interface VirtualPcSettings {
  /** A TCP port. */
  readonly console: number
  /**
   * The program that runs it: `embedded` in the server's own process, or `vpcs`. Cannot be changed.
   *
   * @default that of the emulator
   */
  readonly engine?: VirtualPcEngine
  /**
   * Six pairs of lower-case hexadecimal digits with colons: not a group address, and not all zero. VPCS has
   * `00:50:79:66:68:` and any last pair. Takes effect at the next start.
   *
   * @default `02:` and 40 bits of the hash of the id for `embedded`; a last pair that is unique in the project for `vpcs`
   */
  readonly macAddress?: string
}

export const virtualPcEngineNames = ['embedded', 'vpcs'] as const

/** What runs a virtual PC: this process (`embedded`), or VPCS. */
export type VirtualPcEngine = (typeof virtualPcEngineNames)[number]
