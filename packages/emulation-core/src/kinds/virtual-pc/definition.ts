import { adapterNics, findAdapter } from '../adapters.ts'
import type { KindDefinition } from '../kind-definition.ts'
import { virtualPcDefaults } from './defaults.ts'
import { updateVirtualPc } from './updates.ts'

export const virtualPc: KindDefinition<'virtual-pc'> = {
  kind: 'virtual-pc',
  portFields: ['console'],
  portsOf: ({ console }) => ({ console }),
  complete: (settings, { ports: { console } }) => ({ ...virtualPcDefaults, ...settings, console }),
  withPorts: (settings, { console }) => ({ ...settings, console }),
  update: updateVirtualPc,
  fixedSettings: ['engine'],
  hasConsole: () => true,
  nics: () => adapterNics(1, 1),
  findNic: (_settings, nic) => findAdapter(nic, 1, 1),
  nioTypes: ['udp', 'tap'],
  dataLinkTypes: () => ['DLT_EN10MB'],
  textFile: { name: 'startup.vpc', shown: true },
  slots: { scope: 'project', first: 0, last: 65_535 },
  alwaysOn: false,
  connectsOnce: false,
}
