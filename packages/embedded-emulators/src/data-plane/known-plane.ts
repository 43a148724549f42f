import type { InstanceId, Nio } from '@trivium/emulation-core'
import { type Impairments, type Nic, type NicAddress, nicKey, type PlugUdpOptions } from '@trivium/emulation-core/ports'
import type { CaptureWriter } from '../captures/capture-writer.ts'
import type { PortPair } from '../link-relay/port-pair.ts'
import type { CaptureChoice, SwitchInstance } from './messages.ts'

/** What a data plane has to have, from which a new one is made. */
export interface KnownPlane {
  /** By the key of the NIC. */
  readonly connections: Map<string, KnownConnection>
  readonly devices: Map<number, KnownDevice>
  readonly plugs: Map<number, KnownPlug>
  readonly captures: Map<number, KnownCapture>
  readonly switches: Map<InstanceId, KnownSwitch>
}

export interface KnownConnection {
  readonly nic: Nic
  readonly nio: Nio
  impairments: Impairments
  linkUp: boolean
}

export interface KnownDevice {
  readonly nic: Nic
  readonly receive: (frame: Uint8Array) => void
}

export interface KnownPlug {
  readonly nic: Nic
  readonly options: PlugUdpOptions
  readonly pair: PortPair
}

export interface KnownCapture {
  readonly nic: Nic
  readonly choice: CaptureChoice
  readonly writer: CaptureWriter
}

export interface KnownSwitch {
  readonly instance: SwitchInstance
  readonly nics: readonly NicAddress[]
}

export const createKnownPlane = (): KnownPlane => ({
  connections: new Map(),
  devices: new Map(),
  plugs: new Map(),
  captures: new Map(),
  switches: new Map(),
})

export const sameAddress = (one: NicAddress, other: NicAddress): boolean =>
  one.adapter === other.adapter && one.port === other.port

/** Returns the number of what is attached to the NIC. */
export function attachedTo(attached: ReadonlyMap<number, { readonly nic: Nic }>, nic: Nic): number | undefined {
  for (const [id, other] of attached) if (nicKey(other.nic) === nicKey(nic)) return id
  return undefined
}
