import type { DesktopVmSettings } from './desktop-vm/settings.ts'
import type { EthernetSwitchSettings } from './ethernet-switch/settings.ts'
import type { MachineSettings } from './machine/settings.ts'
import type { RouterSettings } from './router/settings.ts'
import type { VirtualPcSettings } from './virtual-pc/settings.ts'

/** What each kind of instance can be set to. */
export interface SettingsByKind {
  readonly machine: MachineSettings
  readonly router: RouterSettings
  readonly 'virtual-pc': VirtualPcSettings
  readonly 'desktop-vm': DesktopVmSettings
  readonly 'ethernet-switch': EthernetSwitchSettings
}

export type Kind = keyof SettingsByKind

export type SettingsOf<K extends Kind> = SettingsByKind[K]
