import type { EthernetSwitchSettings, SwitchPort } from './settings.ts'

/** Changes of a switch. `ports` replaces the whole list. */
export type EthernetSwitchUpdate = Partial<EthernetSwitchSettings>

export const updateEthernetSwitch = (
  settings: EthernetSwitchSettings,
  update: EthernetSwitchUpdate,
): EthernetSwitchSettings => ({ ...settings, ...update })

/** Sets one port. The others stay. */
export const withPort = ({ ports }: EthernetSwitchSettings, port: SwitchPort): EthernetSwitchSettings => ({
  ports: [...ports.filter((other) => other.port !== port.port), port],
})

/** Removes the settings of one port. */
export const withoutPort = ({ ports }: EthernetSwitchSettings, number: number): EthernetSwitchSettings => ({
  ports: ports.filter(({ port }) => port !== number),
})
