import { cloud } from './cloud/definition.ts'
import { container } from './container/definition.ts'
import { desktopVm } from './desktop-vm/definition.ts'
import { ethernetSwitch } from './ethernet-switch/definition.ts'
import type { Kind } from './kind.ts'
import type { KindDefinition } from './kind-definition.ts'
import { machine } from './machine/definition.ts'
import { nat } from './nat/definition.ts'
import { router } from './router/definition.ts'
import { virtualPc } from './virtual-pc/definition.ts'

/** The definition of every kind. All lists of kinds come from it. */
export const kinds: { readonly [K in Kind]: KindDefinition<K> } = {
  machine,
  router,
  'virtual-pc': virtualPc,
  'desktop-vm': desktopVm,
  'ethernet-switch': ethernetSwitch,
  nat,
  cloud,
  container,
}
