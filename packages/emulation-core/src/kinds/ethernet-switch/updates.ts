import type { EthernetSwitchSettings, SwitchPort } from './settings.ts'

/** A list of ports replaces the one before. */
export type EthernetSwitchUpdate = Partial<EthernetSwitchSettings>

export const updateEthernetSwitch = (
  settings: EthernetSwitchSettings,
  update: EthernetSwitchUpdate,
): EthernetSwitchSettings => ({ ...settings, ...update })

/** Sets one port, and leaves the others. */
export const withPort = ({ ports }: EthernetSwitchSettings, port: SwitchPort): EthernetSwitchSettings => ({
  ports: [...ports.filter((other) => other.port !== port.port), port],
})

/** Forgets one port's settings. */
export const withoutPort = ({ ports }: EthernetSwitchSettings, number: number): EthernetSwitchSettings => ({
  ports: ports.filter(({ port }) => port !== number),
})
