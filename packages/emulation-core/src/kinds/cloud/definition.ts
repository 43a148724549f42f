import type { KindDefinition } from '../kind-definition.ts'
import { cloudDefaults } from './defaults.ts'
import { updateCloud } from './updates.ts'

export const cloud: KindDefinition<'cloud'> = {
  kind: 'cloud',
  portFields: [],
  portsOf: () => ({}),
  complete: ({ ports = cloudDefaults.ports }) => ({ ports }),
  withPorts: (settings) => settings,
  update: updateCloud,
  hasConsole: () => false,
  nics: ({ ports }) => ports.map(({ port }) => ({ adapter: 0, port })),
  findNic: ({ ports }, nic) => {
    if (nic.adapter !== 0) return 'no-adapter'
    return ports.some(({ port }) => port === nic.port) ? 'found' : 'no-port'
  },
  nioTypes: ['udp'],
  dataLinkTypes: () => ['DLT_EN10MB'],
  alwaysOn: false,
  connectsOnce: false,
}
