/** An Ethernet switch that runs for as long as it exists. */
export interface EthernetSwitchSettings {
  /** Ports that were set. A connected port that is absent here is an access port of VLAN 1. */
  readonly ports: readonly SwitchPort[]
}

/** The settings of one port. */
export interface SwitchPort {
  /** 1 to 65,535. */
  readonly port: number
  readonly type: SwitchPortType
  /** 1 to 4,094: the access VLAN, the native VLAN of a dot1q port, or the outer VLAN of a qinq port. */
  readonly vlan: number
}

export const switchPortTypes = ['access', 'dot1q', 'qinq'] as const

/** How a port treats VLAN tags: `access`, `dot1q` or `qinq`. */
export type SwitchPortType = (typeof switchPortTypes)[number]
