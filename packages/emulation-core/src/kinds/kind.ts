import type { CloudSettings } from './cloud/settings.ts'
import type { ContainerSettings } from './container/settings.ts'
import type { DesktopVmSettings } from './desktop-vm/settings.ts'
import type { EthernetSwitchSettings } from './ethernet-switch/settings.ts'
import type { MachineSettings } from './machine/settings.ts'
import type { NatSettings } from './nat/settings.ts'
import type { RouterSettings } from './router/settings.ts'
import type { VirtualPcSettings } from './virtual-pc/settings.ts'

/** The settings of each kind of instance. */
export interface SettingsByKind {
  readonly machine: MachineSettings
  readonly router: RouterSettings
  readonly 'virtual-pc': VirtualPcSettings
  readonly 'desktop-vm': DesktopVmSettings
  readonly 'ethernet-switch': EthernetSwitchSettings
  readonly nat: NatSettings
  readonly cloud: CloudSettings
  readonly container: ContainerSettings
}

/**
 * What an instance emulates: `machine`, `router`, `virtual-pc`, `desktop-vm`, `ethernet-switch`, `nat`, `cloud` or
 * `container`.
 */
export type Kind = keyof SettingsByKind

/** The complete settings of one kind. */
export type SettingsOf<K extends Kind> = SettingsByKind[K]
