/** An Ethernet switch that runs for as long as it exists. */
export interface EthernetSwitchSettings {
  /** Only ports that were set; a connected port that is not here is an access port of VLAN 1. */
  readonly ports: readonly SwitchPort[]
}

/** One port that was set. */
export interface SwitchPort {
  readonly port: number
  readonly type: SwitchPortType
  /** 1 to 4094: the access VLAN, the native VLAN of a dot1q port, the outer VLAN of a qinq port. */
  readonly vlan: number
}

export const switchPortTypes = ['access', 'dot1q', 'qinq'] as const

/** How a port treats VLAN tags: `access`, `dot1q` or `qinq`. */
export type SwitchPortType = (typeof switchPortTypes)[number]
