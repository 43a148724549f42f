import type { EthernetSwitchSettings } from './settings.ts'

export type NewEthernetSwitch = Partial<EthernetSwitchSettings>

export const ethernetSwitchDefaults: EthernetSwitchSettings = { ports: [] }
