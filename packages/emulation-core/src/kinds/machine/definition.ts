import { adapterNics, findAdapter } from '../adapters.ts'
import type { KindDefinition } from '../kind-definition.ts'
import { machineDefaults } from './defaults.ts'
import { updateMachine } from './updates.ts'

export const machine: KindDefinition<'machine'> = {
  kind: 'machine',
  portFields: ['console', 'monitor'],
  portsOf: ({ console, monitor }) => ({ console, monitor }),
  complete: (settings, { ports }) => ({ ...machineDefaults, ...settings, ...ports }),
  update: updateMachine,
  hasConsole: () => true,
  nics: ({ adapters }) => adapterNics(adapters, 1),
  findNic: ({ adapters }, nic) => findAdapter(nic, adapters, 1),
  nioTypes: ['udp', 'generic-ethernet'],
  dataLinkTypes: () => ['DLT_EN10MB'],
  alwaysOn: false,
  connectsOnce: false,
}
