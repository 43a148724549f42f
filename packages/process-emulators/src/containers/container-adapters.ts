import { randomBytes } from 'node:crypto'
import type { UdpPlug, Wiring } from '@trivium/emulation-core/ports'
import { startCarrier } from '../devices/carrier-process.ts'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import type { Helper } from '../processes/start-helper.ts'
import { containerMac } from './container-mac.ts'

/** The programs that make the adapters of a container. */
export interface AdapterTools {
  readonly socat: string
  readonly ip: string
  readonly environment: ProcessEnvironment
  /** The loopback address on which the carriers listen. */
  readonly address: string
}

export interface ContainerAdapters {
  /** Adds the adapters of a container to its network namespace, by the number of its first process. */
  attach(pid: number): Promise<void>
  /** Removes the adapters. Never rejects. */
  release(): Promise<void>
}

/**
 * Creates the adapters of one container. Each is a TAP device that moves to the network namespace of the container. Its
 * frames pass between socat and the link relay: no device and no frame of the lab is in the namespace of the host.
 *
 * @param onLost called where the carrier of an adapter has ended by itself, which removes the adapter
 */
export function createContainerAdapters(
  { socat, ip, environment, address }: AdapterTools,
  { id, wiring, onLost }: { readonly id: string; readonly wiring: Wiring; readonly onLost: (name: string) => void },
): ContainerAdapters {
  const plugs: UdpPlug[] = []
  const helpers: Helper[] = []
  let isReleased = false
  return {
    attach: async (pid) => {
      for (const nic of wiring.nics) {
        const name = `eth${nic.adapter}`
        const plug = await wiring.plugUdp(nic, { deviceAddress: address })
        plugs.push(plug)
        const target = ['netns', `${pid}`, 'name', name, 'address', containerMac(id, nic.adapter), 'up']
        const helper = await startCarrier({
          program: socat,
          placement: { ip, parameters: target },
          command: {
            device: `tvc${randomBytes(4).toString('hex')}`,
            facts: { kind: 'tap', index: 0, isUp: true },
            address,
            ports: plug,
          },
          name,
          environment,
        })
        helpers.push(helper)
        void helper.exited.then(() => {
          if (!isReleased) onLost(name)
        })
      }
    },
    release: async () => {
      isReleased = true
      await Promise.all(helpers.map((helper) => helper.stop()))
      await Promise.all(plugs.map((plug) => plug.unplug()))
    },
  }
}
