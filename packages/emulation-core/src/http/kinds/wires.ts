import type { Instance, Kind } from '../../index.ts'
import { cloudWire } from './cloud.ts'
import { containerWire } from './container.ts'
import { desktopVmWire } from './desktop-vm.ts'
import { ethernetSwitchWire } from './ethernet-switch.ts'
import { machineWire } from './machine.ts'
import { natWire } from './nat.ts'
import { routerWire } from './router.ts'
import { virtualPcWire } from './virtual-pc.ts'

const translations: { readonly [K in Kind]: (instance: Instance<K>) => object } = {
  machine: machineWire.toWire,
  router: routerWire.toWire,
  'virtual-pc': virtualPcWire.toWire,
  'desktop-vm': desktopVmWire.toWire,
  'ethernet-switch': ethernetSwitchWire.toWire,
  nat: natWire.toWire,
  cloud: cloudWire.toWire,
  container: containerWire.toWire,
}

/** Translates an instance of any kind to the wire. */
export const toWireInstance = <K extends Kind>(instance: Instance<K>): object => translations[instance.kind](instance)
