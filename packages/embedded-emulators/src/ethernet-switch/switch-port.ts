import type { StormControl, SwitchPortType } from '@trivium/emulation-core/ports'

export interface PortMode {
  readonly type: SwitchPortType
  /** The access VLAN, the native VLAN of a dot1q port, or the outer VLAN of a qinq port. Frames of VLAN 0 are dropped. */
  readonly vlan: number
  /** The protocol identifier of the tag that frames from this qinq port get on dot1q ports. @default 0x8100 */
  readonly tagProtocol?: number
  /** Limits of what the port receives. @default no limits */
  readonly stormControl?: StormControl
}

/** A port with its settings, as the rules of forwarding use it. */
export interface SwitchEnginePort {
  readonly number: number
  readonly type: SwitchPortType
  readonly vlan: number
  readonly tagProtocol: number
  readonly send: (frame: Uint8Array) => void
}

export const defaultMode: PortMode = { type: 'access', vlan: 1 }
