import type { CarriedDevice, DeviceCarrier, Emulator, ExitReport, UdpPlug } from '@trivium/emulation-core/ports'
import { Refusal } from '@trivium/emulation-core/ports'
import { endOrphanedHelpers } from '../processes/end-orphans.ts'

/** What carries the frames of the devices. */
export interface CloudEmulatorOptions {
  /** The result of `socatDeviceCarrier`, as for the relay. It decides about the devices that labs can use. */
  readonly devices: DeviceCarrier
}

interface Port {
  readonly plug: UdpPlug
  readonly carried: CarriedDevice | undefined
}

/**
 * Runs clouds: the ports of a lab that end in devices of the host. All devices of a cloud are attached while it runs. A
 * change of its ports takes effect at the next start.
 *
 * @example
 * ```ts
 * import { cloudEmulator } from '@trivium/process-emulators/cloud'
 * import { socatDeviceCarrier } from '@trivium/process-emulators/devices'
 *
 * // For `createEmulation`.
 * export const emulators = {
 *   cloud: cloudEmulator({ devices: socatDeviceCarrier({ devices: ['tap0', 'br0'] }) }),
 * }
 * ```
 */
export const cloudEmulator = ({ devices }: CloudEmulatorOptions): Emulator<'cloud'> => ({
  kind: 'cloud',
  async start({ settings, name }, wiring) {
    if (settings.ports.length === 0) throw new Refusal('failed', `The cloud ${name} has no ports.`)
    const ports: Port[] = []
    const release = async () => {
      await Promise.all(ports.map(({ carried }) => carried?.release()))
      await Promise.all(ports.map(({ plug }) => plug.unplug()))
    }
    try {
      for (const { port, device } of settings.ports) {
        const plug = await wiring.plugUdp({ adapter: 0, port }, { deviceAddress: devices.address })
        const at = ports.push({ plug, carried: undefined }) - 1
        ports[at] = { plug, carried: await devices.carry({ type: 'linux-ethernet', device }, plug) }
      }
    } catch (error) {
      await release()
      throw error
    }
    const { promise: exited, resolve } = Promise.withResolvers<ExitReport>()
    return {
      processes: [],
      exited,
      stop: async () => {
        await release()
        resolve({ exitCode: 0, log: '' })
      },
    }
  },
  endOrphans: () => endOrphanedHelpers(),
})
