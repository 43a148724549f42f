import { adapterNics, findAdapter } from '../adapters.ts'
import type { KindDefinition } from '../kind-definition.ts'
import { containerDefaults } from './defaults.ts'
import { updateContainer } from './updates.ts'

export const container: KindDefinition<'container'> = {
  kind: 'container',
  portFields: ['console'],
  portsOf: ({ console }) => ({ console }),
  complete: (settings, { ports: { console } }) => ({ ...containerDefaults, ...settings, console }),
  withPorts: (settings, { console }) => ({ ...settings, console }),
  update: updateContainer,
  hasConsole: ({ consoleType }) => consoleType !== 'none',
  nics: ({ adapters }) => adapterNics(adapters, 1),
  findNic: ({ adapters }, nic) => findAdapter(nic, adapters, 1),
  nioTypes: ['udp'],
  dataLinkTypes: () => ['DLT_EN10MB'],
  textFile: { name: 'startup-config', shown: true },
  alwaysOn: false,
  connectsOnce: false,
}
