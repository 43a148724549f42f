import { adapterNics, findAdapter } from '../adapters.ts'
import type { KindDefinition } from '../kind-definition.ts'
import { routerDefaults } from './defaults.ts'
import { updateRouter } from './updates.ts'

const PORTS_OF_AN_ADAPTER = 4

export const router: KindDefinition<'router'> = {
  kind: 'router',
  portFields: ['console'],
  portsOf: ({ console }) => ({ console }),
  complete: (settings, { ports: { console } }) => ({ ...routerDefaults, ...settings, console }),
  withPorts: (settings, { console }) => ({ ...settings, console }),
  update: updateRouter,
  imagePaths: ({ image }) => [image],
  hasConsole: () => true,
  nics: ({ ethernetAdapters, serialAdapters }) => adapterNics(ethernetAdapters + serialAdapters, PORTS_OF_AN_ADAPTER),
  findNic: ({ ethernetAdapters, serialAdapters }, nic) =>
    findAdapter(nic, ethernetAdapters + serialAdapters, PORTS_OF_AN_ADAPTER),
  nioTypes: ['udp', 'generic-ethernet', 'tap'],
  dataLinkTypes: ({ ethernetAdapters }, { adapter }) =>
    adapter < ethernetAdapters ? ['DLT_EN10MB'] : ['DLT_C_HDLC', 'DLT_PPP_SERIAL', 'DLT_FRELAY'],
  textFile: { name: 'initial-config.cfg', shown: false },
  slots: { scope: 'server', first: 1, last: 511 },
  alwaysOn: false,
  connectsOnce: false,
}
