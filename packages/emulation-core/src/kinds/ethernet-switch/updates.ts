import type { EthernetSwitchSettings, SwitchPort } from './settings.ts'

/** Changes of a switch. `ports` sets the ports that it names, and leaves the others. */
export type EthernetSwitchUpdate = Partial<Omit<EthernetSwitchSettings, 'deviceType'>>

export const updateEthernetSwitch = (
  settings: EthernetSwitchSettings,
  { ports = [], ...update }: EthernetSwitchUpdate,
): EthernetSwitchSettings => ({ ...settings, ...update, ports: mergePorts(settings.ports, ports) })

/** Sets one port. The others stay. */
export const withPort = (settings: EthernetSwitchSettings, port: SwitchPort): EthernetSwitchSettings => ({
  ...settings,
  ports: mergePorts(settings.ports, [port]),
})

/** Removes the settings of one port. */
export const withoutPort = (settings: EthernetSwitchSettings, number: number): EthernetSwitchSettings => ({
  ...settings,
  ports: settings.ports.filter(({ port }) => port !== number),
})

/** Fields of a port that a change leaves out stay, so that clients may know fewer fields than the server has. */
function mergePorts(before: readonly SwitchPort[], changes: readonly SwitchPort[]): readonly SwitchPort[] {
  const merged = new Map(before.map((port) => [port.port, port]))
  for (const port of changes) merged.set(port.port, { ...merged.get(port.port), ...port })
  return [...merged.values()]
}
