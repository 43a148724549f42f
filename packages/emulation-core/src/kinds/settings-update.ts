import type { CloudUpdate } from './cloud/updates.ts'
import type { ContainerUpdate } from './container/updates.ts'
import type { DesktopVmUpdate } from './desktop-vm/updates.ts'
import type { EthernetSwitchUpdate } from './ethernet-switch/updates.ts'
import type { Kind } from './kind.ts'
import type { MachineUpdate } from './machine/updates.ts'
import type { NatUpdate } from './nat/updates.ts'
import type { RouterUpdate } from './router/updates.ts'
import type { VirtualPcUpdate } from './virtual-pc/updates.ts'

interface UpdateByKind {
  readonly machine: MachineUpdate
  readonly router: RouterUpdate
  readonly 'virtual-pc': VirtualPcUpdate
  readonly 'desktop-vm': DesktopVmUpdate
  readonly 'ethernet-switch': EthernetSwitchUpdate
  readonly nat: NatUpdate
  readonly cloud: CloudUpdate
  readonly container: ContainerUpdate
}

/** Changes of the settings of one kind. Fields that are left out stay. */
export type SettingsUpdate<K extends Kind> = UpdateByKind[K]
