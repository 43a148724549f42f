import type { GenericSchema } from 'valibot'
import { cloudSettings } from './cloud/bounds.ts'
import { containerSettings } from './container/bounds.ts'
import { desktopVmSettings } from './desktop-vm/bounds.ts'
import { ethernetSwitchSettings } from './ethernet-switch/bounds.ts'
import type { Kind } from './kind.ts'
import { machineSettings } from './machine/bounds.ts'
import { natSettings } from './nat/bounds.ts'
import { routerSettings } from './router/bounds.ts'
import { virtualPcSettings } from './virtual-pc/bounds.ts'

/** What a host can set of an instance of each kind. */
export const settingsSchemas: Readonly<Record<Kind, GenericSchema>> = {
  machine: machineSettings,
  router: routerSettings,
  'virtual-pc': virtualPcSettings,
  'desktop-vm': desktopVmSettings,
  'ethernet-switch': ethernetSwitchSettings,
  nat: natSettings,
  cloud: cloudSettings,
  container: containerSettings,
}
