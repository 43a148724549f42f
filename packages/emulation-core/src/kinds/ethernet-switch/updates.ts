import type { EthernetSwitchSettings, SwitchPort } from './settings.ts'

/** Changes of a switch. `ports` replaces the whole list. */
export type EthernetSwitchUpdate = Partial<Omit<EthernetSwitchSettings, 'deviceType'>>

export const updateEthernetSwitch = (
  settings: EthernetSwitchSettings,
  update: EthernetSwitchUpdate,
): EthernetSwitchSettings => ({ ...settings, ...update })

/** Sets one port. The others stay. */
export const withPort = (settings: EthernetSwitchSettings, port: SwitchPort): EthernetSwitchSettings => ({
  ...settings,
  ports: [...settings.ports.filter((other) => other.port !== port.port), port],
})

/** Removes the settings of one port. */
export const withoutPort = (settings: EthernetSwitchSettings, number: number): EthernetSwitchSettings => ({
  ...settings,
  ports: settings.ports.filter(({ port }) => port !== number),
})
