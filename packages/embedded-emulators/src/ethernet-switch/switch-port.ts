import type { SwitchPortType } from '@trivium/emulation-core/ports'

export interface PortMode {
  readonly type: SwitchPortType
  /** The access VLAN, the native VLAN of a dot1q port, the outer VLAN of a qinq port. 0 lets nothing in. */
  readonly vlan: number
  /** The tag that frames from this qinq port get on dot1q ports. @default 0x8100 */
  readonly tagProtocol?: number
}

/** A port as the forwarding sees it. */
export interface SwitchEnginePort {
  readonly number: number
  readonly type: SwitchPortType
  readonly vlan: number
  readonly tagProtocol: number
  readonly send: (frame: Uint8Array) => void
}

export const defaultMode: PortMode = { type: 'access', vlan: 1 }
