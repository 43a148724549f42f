import { resolve, sep } from 'node:path'
import type { EmulatedInstance, Emulator, ExitReport } from '@trivium/emulation-core/ports'
import type { MacAddress } from '../addresses/mac-address.ts'
import { type Clock, systemClock } from '../clock/clock.ts'
import { withDirectory } from '../project-files/held-directory.ts'
import { readTextFile, writeTextFile } from '../project-files/text-file.ts'
import { createVirtualPc } from './virtual-pc.ts'

/** What a virtual PC takes from its surroundings; for tests. */
export interface VirtualPcEmulatorOptions {
  /** @default the system's */
  readonly clock?: Clock
  /** From 0 up to 1. @default Math.random */
  readonly random?: () => number
}

const FIRST_MAC: MacAddress = 0x005079666800

/** The address that VPCS gives its machines, counted on by the instance's number in its project. */
const macOf = ({ slot = 0 }: EmulatedInstance<'virtual-pc'>): MacAddress => FIRST_MAC + (slot % 0x8000)

/** Virtual PCs in this process, with the commands of VPCS. Scripts are files of the instance's directory. */
export const virtualPcEmulator = ({
  clock = systemClock,
  random = Math.random,
}: VirtualPcEmulatorOptions = {}): Emulator<'virtual-pc'> => ({
  kind: 'virtual-pc',
  async start(instance, wiring) {
    let end = (_report: ExitReport) => {}
    const exited = new Promise<ExitReport>((resolve) => {
      end = resolve
    })
    const stop = () => {
      pc.stop()
      plug.unplug()
      end({ exitCode: 0, log: '' })
    }
    // As project files are laid out: nothing below the project's own directory is a link.
    const way = { base: resolve(instance.directory, '../../..'), parts: instance.directory.split(sep).slice(-3) }
    const nic = wiring.nics[0] ?? { adapter: 0, port: 0 }
    const plug = wiring.plug(nic, (frame) => pc.receive(frame))
    const pc = createVirtualPc({
      name: instance.name,
      mac: macOf(instance),
      files: {
        read: (name) => withDirectory(way, (held) => readTextFile(held, name)),
        write: async (name, content) => {
          await withDirectory({ ...way, make: true }, (held) => writeTextFile(held, name, content, 'process'))
        },
      },
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
