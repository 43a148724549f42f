import type { EthernetSwitchSettings, SwitchPort } from './settings.ts'

interface CabledSwitch {
  readonly settings: EthernetSwitchSettings
  readonly connections: readonly { readonly port: number }[]
}

/** Lists the ports that are set or connected, by number. A connected port that was not set is in VLAN 1. */
export function portsInUse({ settings, connections }: CabledSwitch): readonly SwitchPort[] {
  const connected = connections.map(({ port }): SwitchPort => ({ port, type: 'access', vlan: 1 }))
  const ports = new Map([...connected, ...settings.ports].map((port) => [port.port, port]))
  return [...ports.values()].toSorted((one, other) => one.port - other.port)
}
