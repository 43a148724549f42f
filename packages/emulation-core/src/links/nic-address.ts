/**
 * The adapter and port number of a NIC. Kinds whose adapters have one port each use port 0, a switch uses adapter 0.
 */
export interface NicAddress {
  readonly adapter: number
  readonly port: number
}

export const sameNic = (one: NicAddress, other: NicAddress): boolean =>
  one.adapter === other.adapter && one.port === other.port
