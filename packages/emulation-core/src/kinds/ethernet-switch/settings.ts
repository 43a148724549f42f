/** An Ethernet switch or hub that runs for as long as it exists. */
export interface EthernetSwitchSettings {
  /**
   * `switch` learns addresses and has VLANs. `hub` sends every frame unchanged to every other port. Cannot be changed.
   *
   * @default 'switch'
   */
  readonly deviceType?: DeviceType
  /**
   * Ports that were set, each number once, at most 1,024. A connected port that is absent here is an access port of
   * VLAN 1. A hub has none.
   *
   * @default []
   */
  readonly ports: readonly SwitchPort[]
  /**
   * Seconds after which an address that sends nothing is forgotten, and at most a tenth more: 0 for never, or 10 to
   * 1,000,000. A hub has none.
   *
   * @default 300
   */
  readonly macAgeingSeconds?: number
}

export const deviceTypes = ['switch', 'hub'] as const

/** How a device forwards: `switch` to the ports of a learned address, `hub` to all others. */
export type DeviceType = (typeof deviceTypes)[number]

/** How long a switch remembers addresses by default, as 802.1Q recommends. */
export const DEFAULT_MAC_AGEING_SECONDS = 300

/** The settings of one port. */
export interface SwitchPort {
  /** 1 to 65,535. */
  readonly port: number
  readonly type: SwitchPortType
  /** 1 to 4,094: the access VLAN, the native VLAN of a dot1q port, or the outer VLAN of a qinq port. */
  readonly vlan: number
  /** Limits of what the port receives. @default no limits */
  readonly stormControl?: StormControl
}

/**
 * The most frames that a port takes in a second, for each sort that a switch sends to many ports: 1 to 10,000,000.
 * Further ones of that second are dropped. A sort that is left out has no limit.
 */
export type StormControl = { readonly [Sort in StormSort]?: number }

/** `unknownUnicast` frames have a destination that the switch has not learned. */
export type StormSort = 'broadcast' | 'multicast' | 'unknownUnicast'

export const switchPortTypes = ['access', 'dot1q', 'qinq'] as const

/**
 * How a port treats VLAN tags. `access` carries one VLAN, and reads no tags. `dot1q` carries every VLAN with a tag
 * (802.1Q), and its native VLAN without. `qinq` carries only frames that have a tag of the customer, which stays, and
 * puts them into its VLAN. A dot1q port sends those with a second, outer tag.
 */
export type SwitchPortType = (typeof switchPortTypes)[number]
