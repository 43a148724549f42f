import type { NicAddress } from '../links/nic-address.ts'
import type { NioType } from '../links/nio.ts'
import type { Kind, SettingsOf } from './kind.ts'
import type { NewSettings } from './new-settings.ts'
import type { SettingsUpdate } from './settings-update.ts'

/** Everything in which one kind differs from another, as far as the core is concerned. */
export interface KindDefinition<K extends Kind> {
  readonly kind: K
  /** Which ports of the server an instance has, in the order in which they are allocated. */
  readonly portFields: readonly PortField[]
  readonly portsOf: (settings: SettingsOf<K> | NewSettings<K>) => PortNumbers
  /** Adds what was left out. */
  readonly complete: (
    settings: NewSettings<K>,
    made: { readonly name: string; readonly ports: AllocatedPorts },
  ) => SettingsOf<K>
  readonly update: (settings: SettingsOf<K>, update: SettingsUpdate<K>) => SettingsOf<K>
  /** Whether a started instance shows a console. */
  readonly hasConsole: (settings: SettingsOf<K>) => boolean
  /** The NICs that the settings give it; empty for a kind whose NICs exist while they are connected. */
  readonly nics: (settings: SettingsOf<K>) => readonly NicAddress[]
  readonly findNic: (settings: SettingsOf<K>, nic: NicAddress) => 'found' | 'no-adapter' | 'no-port'
  readonly nioTypes: readonly NioType[]
  /** Names of libpcap's data link types that a capture on this NIC can have; the first is the usual one. */
  readonly dataLinkTypes: (settings: SettingsOf<K>, nic: NicAddress) => readonly string[]
  /** The text file that clients set, in the instance's directory. */
  readonly textFile?: TextFile
  readonly slots?: SlotRange
  /** Started with the server and as soon as it is made; stopped only with either. */
  readonly alwaysOn: boolean
  /** One connection a NIC for good, or until it is removed: a second one is refused instead of replacing the first. */
  readonly connectsOnce: boolean
}

export type PortField = 'console' | 'monitor'

/** Fields that the kind does not have are 0. */
export type AllocatedPorts = Readonly<Record<PortField, number>>

export interface PortNumbers {
  readonly console?: number | undefined
  readonly monitor?: number | undefined
}

interface TextFile {
  readonly name: string
  /** Whether its content is part of the instance that clients see. */
  readonly shown: boolean
}

/** Both ends included. */
export interface SlotRange {
  readonly scope: 'project' | 'server'
  readonly first: number
  readonly last: number
}
