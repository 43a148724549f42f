import { resolve, sep } from 'node:path'
import {
  type EmulatedInstance,
  type Emulator,
  type ExitReport,
  type InstanceFiles,
  Refusal,
} from '@trivium/emulation-core/ports'
import type { MacAddress } from '../addresses/mac-address.ts'
import { type Clock, systemClock } from '../clock/clock.ts'
import { readTextFile, writeTextFile } from '../project-files/text-file.ts'
import { withDirectory } from '../project-files/with-directory.ts'
import { defaultMac } from './default-mac.ts'
import { createVirtualPc } from './virtual-pc.ts'

/** The clock and random numbers of virtual PCs, for tests. */
export interface VirtualPcEmulatorOptions {
  /** Times echoes, leases and waits. @default the clock of the system */
  readonly clock?: Clock
  /** Returns numbers from 0 to below 1. @default Math.random */
  readonly random?: () => number
}

const macOf = ({ id, settings: { macAddress } }: EmulatedInstance<'virtual-pc'>): MacAddress =>
  macAddress === undefined ? defaultMac(id) : Number.parseInt(macAddress.replaceAll(':', ''), 16)

/**
 * Runs virtual PCs in this process, with the commands of VPCS. Startup scripts, and those of `save` and `load`,
 * are the texts of the instance.
 *
 * @example
 * ```ts
 * import { ethernetSwitchEmulator, virtualPcEmulator } from '@trivium/embedded-emulators'
 *
 * // For `createEmulation`.
 * export const emulators = {
 *   'virtual-pc': virtualPcEmulator(),
 *   'ethernet-switch': ethernetSwitchEmulator(),
 * }
 * ```
 */
export const virtualPcEmulator = ({
  clock = systemClock,
  random = Math.random,
}: VirtualPcEmulatorOptions = {}): Emulator<'virtual-pc'> => ({
  kind: 'virtual-pc',
  async check({ engine = 'embedded', ...settings }) {
    if (engine === 'embedded') return { ...settings, engine }
    throw new Refusal('unsupported', `This server has no virtual PCs of the engine '${engine}'.`)
  },
  async start(instance, wiring, { files }) {
    let end = (_report: ExitReport) => {}
    const exited = new Promise<ExitReport>((resolve) => {
      end = resolve
    })
    const stop = () => {
      pc.stop()
      plug.unplug()
      end({ exitCode: 0, log: '' })
    }
    const nic = wiring.nics[0] ?? { adapter: 0, port: 0 }
    const plug = wiring.plug(nic, (frame) => pc.receive(frame))
    const pc = createVirtualPc({
      name: instance.name,
      mac: macOf(instance),
      files: files ?? filesOnDisk(instance.directory),
      clock,
      random,
      send: plug.send,
      ended: stop,
    })
    await pc.start()
    return {
      processes: [],
      console: pc.console,
      exited,
      stop: async () => stop(),
      update: async ({ name }) => pc.rename(name),
      async nicChanged(_nic, { connected, linkUp }) {
        if (connected && linkUp) pc.linkUp()
      },
    }
  },
})

function filesOnDisk(path: string): InstanceFiles {
  // The directory of the project is three levels up. No part below it can be a link.
  const directory = { base: resolve(path, '../../..'), parts: path.split(sep).slice(-3) }
  return {
    read: (name) => withDirectory(directory, (held) => readTextFile(held, name)),
    async write(name, content) {
      await withDirectory({ ...directory, make: true }, (held) => writeTextFile(held, name, content, 'process'))
    },
  }
}
