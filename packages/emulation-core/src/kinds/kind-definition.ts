import type { EmulationError } from '../emulation-error.ts'
import type { NicAddress } from '../links/nic-address.ts'
import type { NioType } from '../links/nio.ts'
import type { Kind, SettingsOf } from './kind.ts'
import type { NewSettings } from './new-settings.ts'
import type { SettingsUpdate } from './settings-update.ts'

/** The properties of a kind that the core uses. */
export interface KindDefinition<K extends Kind> {
  readonly kind: K
  /** The server ports of an instance, in the order of their allocation. */
  readonly portFields: readonly PortField[]
  readonly portsOf: (settings: SettingsOf<K> | NewSettings<K>) => PortNumbers
  /** Adds defaults and ports to the settings of a new instance. */
  readonly complete: (
    settings: NewSettings<K>,
    made: { readonly name: string; readonly ports: AllocatedPorts },
  ) => SettingsOf<K>
  /** Replaces the server ports of the settings. */
  readonly withPorts: (settings: SettingsOf<K>, ports: AllocatedPorts) => SettingsOf<K>
  readonly update: (settings: SettingsOf<K>, update: SettingsUpdate<K>) => SettingsOf<K>
  /** Returns the settings of an instance that is copied under a new id. @default the same */
  readonly copied?: (settings: SettingsOf<K>, id: string) => SettingsOf<K>
  /** Settings that a stored instance of an earlier version lacks. */
  readonly defaults?: Partial<SettingsOf<K>>
  /** The paths of images that the settings name, without those in options. @default none */
  readonly imagePaths?: (settings: SettingsOf<K>) => readonly string[]
  /** Settings that an update cannot change. */
  readonly fixedSettings?: readonly (keyof SettingsOf<K> & string)[]
  /** Returns why settings that are each within their bounds cannot be used together. */
  readonly objection?: (settings: SettingsOf<K>) => EmulationError | undefined
  /** Whether a running instance has a console. */
  readonly hasConsole: (settings: SettingsOf<K>) => boolean
  /**
   * What is at the console port of an instance with a console: its text or its display.
   *
   * @default 'text'
   */
  readonly consolePort?: (settings: SettingsOf<K>) => ConsolePort
  /** Lists the NICs of the settings; empty for a kind whose NICs exist only while they are connected. */
  readonly nics: (settings: SettingsOf<K>) => readonly NicAddress[]
  readonly findNic: (settings: SettingsOf<K>, nic: NicAddress) => 'found' | 'no-adapter' | 'no-port'
  readonly nioTypes: readonly NioType[]
  /** The names of libpcap's data link types that a capture on the NIC can have. The first is the default. */
  readonly dataLinkTypes: (settings: SettingsOf<K>, nic: NicAddress) => readonly string[]
  /** The text file in the instance's directory that clients can set. */
  readonly textFile?: TextFile
  readonly slots?: SlotRange
  /** Whether instances run from their creation or the start of the server until their removal or its end. */
  readonly alwaysOn: boolean
  /** Whether a second connection of a NIC is refused. Otherwise it replaces the first. */
  readonly connectsOnce: boolean
}

/** What answers at the console port. */
export type ConsolePort = 'text' | 'display'

export type PortField = 'console' | 'monitor'

/** The allocated ports; 0 for a field that the kind does not have. */
export type AllocatedPorts = Readonly<Record<PortField, number>>

export interface PortNumbers {
  readonly console?: number | undefined
  readonly monitor?: number | undefined
}

interface TextFile {
  readonly name: string
  /** Whether the content is part of the instance that clients get. */
  readonly shown: boolean
}

/** The slots of a kind, both ends included, unique in each project or on the server. */
export interface SlotRange {
  readonly scope: 'project' | 'server'
  readonly first: number
  readonly last: number
}
