import type { DesktopVmSettings } from './desktop-vm/settings.ts'
import type { EthernetSwitchSettings } from './ethernet-switch/settings.ts'
import type { MachineSettings } from './machine/settings.ts'
import type { RouterSettings } from './router/settings.ts'
import type { VirtualPcSettings } from './virtual-pc/settings.ts'

/** The settings of each kind of instance. */
export interface SettingsByKind {
  readonly machine: MachineSettings
  readonly router: RouterSettings
  readonly 'virtual-pc': VirtualPcSettings
  readonly 'desktop-vm': DesktopVmSettings
  readonly 'ethernet-switch': EthernetSwitchSettings
}

/** What an instance emulates: `machine`, `router`, `virtual-pc`, `desktop-vm` or `ethernet-switch`. */
export type Kind = keyof SettingsByKind

/** The complete settings of one kind. */
export type SettingsOf<K extends Kind> = SettingsByKind[K]
