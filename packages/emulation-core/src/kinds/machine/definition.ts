import { adapterNics, findAdapter } from '../adapters.ts'
import type { KindDefinition } from '../kind-definition.ts'
import { machineDefaults } from './defaults.ts'
import type { MachineConsoleType } from './settings.ts'
import { updateMachine } from './updates.ts'

const isSpice = (type: MachineConsoleType) => type === 'spice' || type === 'spice+agent'

export const machine: KindDefinition<'machine'> = {
  kind: 'machine',
  portFields: ['console', 'monitor'],
  portsOf: ({ console, monitor }) => ({ console, monitor }),
  complete: (settings, { ports }) => ({ ...machineDefaults, ...settings, ...ports }),
  withPorts: (settings, ports) => ({ ...settings, ...ports }),
  update: updateMachine,
  defaults: machineDefaults,
  imagePaths: (settings) => [
    settings.primaryDisk,
    settings.secondaryDisk,
    settings.tertiaryDisk,
    settings.quaternaryDisk,
    settings.cdromImage,
    settings.biosImage,
    settings.initialRamDisk,
    settings.kernelImage,
  ],
  hasConsole: ({ consoleType }) => consoleType !== 'none',
  consolePort: ({ consoleType }) => (consoleType === 'vnc' || isSpice(consoleType) ? 'display' : 'text'),
  nics: ({ adapters }) => adapterNics(adapters, 1),
  findNic: ({ adapters }, nic) => findAdapter(nic, adapters, 1),
  nioTypes: ['udp', 'generic-ethernet'],
  dataLinkTypes: () => ['DLT_EN10MB'],
  alwaysOn: false,
  connectsOnce: false,
}
