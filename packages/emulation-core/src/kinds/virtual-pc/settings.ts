/** A lightweight virtual PC: a shell with `ip`, `ping` and `trace`, and one Ethernet port. */
export interface VirtualPcSettings {
  readonly console: number
}
