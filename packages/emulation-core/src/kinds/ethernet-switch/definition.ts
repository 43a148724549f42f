import { findAdapter } from '../adapters.ts'
import type { KindDefinition } from '../kind-definition.ts'
import { MAX_PORTS } from './bounds.ts'
import { ethernetSwitchDefaults } from './defaults.ts'
import { updateEthernetSwitch } from './updates.ts'

/** Port numbers are 1 to 65,535. */
const PORT_NUMBERS = 65_536

export const ethernetSwitch: KindDefinition<'ethernet-switch'> = {
  kind: 'ethernet-switch',
  portFields: [],
  portsOf: () => ({}),
  complete: (settings) => ({ ...ethernetSwitchDefaults, ...settings }),
  withPorts: (settings) => settings,
  update: updateEthernetSwitch,
  fixedSettings: ['deviceType'],
  objection: ({ deviceType, ports, macAgeingSeconds }) => {
    if (ports.length > MAX_PORTS) return { type: 'limit-reached', what: 'ports', limit: MAX_PORTS }
    if (deviceType !== 'hub' || (ports.length === 0 && macAgeingSeconds === undefined)) return undefined
    return { type: 'hub-without-settings' }
  },
  hasConsole: () => false,
  nics: () => [],
  findNic: (_settings, nic) => (nic.port === 0 ? 'no-port' : findAdapter(nic, 1, PORT_NUMBERS)),
  nioTypes: ['udp', 'generic-ethernet', 'linux-ethernet', 'tap', 'unix', 'vde', 'null'],
  dataLinkTypes: () => ['DLT_EN10MB'],
  alwaysOn: true,
  connectsOnce: true,
}
