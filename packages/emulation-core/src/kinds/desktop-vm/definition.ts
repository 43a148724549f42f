import { adapterNics, findAdapter } from '../adapters.ts'
import type { KindDefinition } from '../kind-definition.ts'
import { desktopVmDefaults } from './defaults.ts'
import { updateDesktopVm } from './updates.ts'

export const desktopVm: KindDefinition<'desktop-vm'> = {
  kind: 'desktop-vm',
  portFields: ['console'],
  portsOf: ({ console }) => ({ console }),
  complete: ({ linkedClone = false, ...settings }, { name, ports: { console } }) => ({
    ...desktopVmDefaults,
    ...settings,
    ...(linkedClone ? { machineName: name, cloneOf: settings.machineName } : { cloneOf: '' }),
    console,
  }),
  withPorts: (settings, { console }) => ({ ...settings, console }),
  // The product keeps its VMs by their names.
  copied: (settings, id) =>
    settings.cloneOf === ''
      ? settings
      : { ...settings, machineName: `${settings.machineName.replace(/-[0-9a-f]{8}$/, '')}-${id.slice(0, 8)}` },
  update: updateDesktopVm,
  hasConsole: ({ remoteConsole }) => remoteConsole,
  nics: ({ adapters }) => adapterNics(adapters, 1),
  findNic: ({ adapters }, nic) => findAdapter(nic, adapters, 1),
  nioTypes: ['udp'],
  dataLinkTypes: () => ['DLT_EN10MB'],
  alwaysOn: false,
  connectsOnce: false,
}
