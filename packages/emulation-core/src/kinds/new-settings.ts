import type { NewCloud } from './cloud/defaults.ts'
import type { NewContainer } from './container/defaults.ts'
import type { NewDesktopVm } from './desktop-vm/defaults.ts'
import type { NewEthernetSwitch } from './ethernet-switch/defaults.ts'
import type { Kind } from './kind.ts'
import type { NewMachine } from './machine/defaults.ts'
import type { NewNat } from './nat/defaults.ts'
import type { NewRouter } from './router/defaults.ts'
import type { NewVirtualPc } from './virtual-pc/defaults.ts'

interface NewSettingsByKind {
  readonly machine: NewMachine
  readonly router: NewRouter
  readonly 'virtual-pc': NewVirtualPc
  readonly 'desktop-vm': NewDesktopVm
  readonly 'ethernet-switch': NewEthernetSwitch
  readonly nat: NewNat
  readonly cloud: NewCloud
  readonly container: NewContainer
}

/** The settings of a new instance. Fields that are left out get their defaults, ports are allocated. */
export type NewSettings<K extends Kind> = NewSettingsByKind[K]
