/**
 * The adapter and port number of a NIC. Kinds whose adapters have one port each use port 0, a switch uses adapter 0.
 */
export interface NicAddress {
  /** The number of the adapter, from 0. */
  readonly adapter: number
  /** The number of the port on its adapter, from 0; that of a switch from 1 to 65,535. */
  readonly port: number
}

export const sameNic = (one: NicAddress, other: NicAddress): boolean =>
  one.adapter === other.adapter && one.port === other.port
