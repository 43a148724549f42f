import { adapterNics, findAdapter } from '../adapters.ts'
import type { KindDefinition } from '../kind-definition.ts'
import { updateNat } from './updates.ts'

export const nat: KindDefinition<'nat'> = {
  kind: 'nat',
  portFields: [],
  portsOf: () => ({}),
  complete: () => ({}),
  withPorts: (settings) => settings,
  update: updateNat,
  hasConsole: () => false,
  nics: () => adapterNics(1, 1),
  findNic: (_settings, nic) => findAdapter(nic, 1, 1),
  nioTypes: ['udp'],
  dataLinkTypes: () => ['DLT_EN10MB'],
  alwaysOn: false,
  connectsOnce: false,
}
