import {
  DEFAULT_MAC_AGEING_SECONDS,
  type DevicePort,
  type Emulator,
  type EthernetSwitchSettings,
  type ExitReport,
  type MacTableEntry,
} from '@trivium/emulation-core/ports'
import { formatMac } from '../addresses/mac-address.ts'
import { createHubEngine } from './hub-engine.ts'
import { createSwitchEngine, type SwitchEngineOptions } from './switch-engine.ts'
import { defaultMode, type PortMode } from './switch-port.ts'

const modeOf = (settings: EthernetSwitchSettings, number: number): PortMode =>
  settings.ports.find(({ port }) => port === number) ?? defaultMode

/**
 * Runs Ethernet switches and hubs in this process. A switch has a port for every NIC that is cabled: its port 5 is the
 * NIC with adapter 0 and port 5. There is no spanning tree: frames circulate in a loop of cables.
 * {@link SwitchEngineOptions} lists the differences from dynamips.
 */
export const ethernetSwitchEmulator = (options: SwitchEngineOptions = {}): Emulator<'ethernet-switch'> => ({
  kind: 'ethernet-switch',
  async start(instance, wiring) {
    const engine = instance.settings.deviceType === 'hub' ? createHubEngine() : createSwitchEngine(options)
    const plugs = new Map<number, DevicePort>()
    let settings = instance.settings
    let ended = (_report: ExitReport) => {}
    const exited = new Promise<ExitReport>((resolve) => {
      ended = resolve
    })

    const addPort = (number: number) => {
      if (plugs.has(number)) return
      const plug = wiring.plug({ adapter: 0, port: number }, (frame) => engine.receive(number, frame))
      plugs.set(number, plug)
      engine.addPort(number, modeOf(settings, number), plug.send)
    }

    const removePort = (number: number) => {
      engine.removePort(number)
      plugs.get(number)?.unplug()
      plugs.delete(number)
    }

    const setAgeing = () => engine.setMacAgeing(settings.macAgeingSeconds ?? DEFAULT_MAC_AGEING_SECONDS)

    setAgeing()
    for (const { port } of wiring.nics) addPort(port)

    return {
      processes: [],
      exited,
      async stop() {
        for (const number of [...plugs.keys()]) removePort(number)
        engine.stop()
        ended({ exitCode: 0, log: '' })
      },
      async reload() {
        engine.macTable.clear()
      },
      async update(next) {
        settings = next.settings
        setAgeing()
        for (const number of plugs.keys()) engine.setMode(number, modeOf(settings, number))
      },
      async nicChanged({ port }, { connected }) {
        if (connected) addPort(port)
        else removePort(port)
      },
      macTable: async () =>
        engine.macTable
          .entries()
          .sort((one, other) => one.vlan - other.vlan || one.mac - other.mac)
          .map(({ mac, vlan, port }): MacTableEntry => ({ mac: formatMac(mac), vlan, port: port.number })),
      clearMacTable: async () => engine.macTable.clear(),
      stormDrops: async ({ port }) => engine.stormDrops(port),
    }
  },
})
