/** A lightweight virtual PC: a shell with `ip`, `ping` and `trace`, and one Ethernet port. */
export interface VirtualPcSettings {
  /** A TCP port. */
  readonly console: number
}
