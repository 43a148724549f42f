import { type Emulator, Refusal } from '@trivium/emulation-core/ports'
import { defaultProgramDirectories } from '../processes/find-program.ts'
import { type ProcessEnvironment, plainEnvironment } from '../processes/process-environment.ts'
import { CLONE_MARK, ensureLinkedClone, removeLinkedClone } from './linked-clone.ts'
import { parseMachineList } from './machine-readable.ts'
import { networkCard } from './network-card.ts'
import { readRunningRecord, removeRunningRecord } from './running-record.ts'
import { detachVm, powerOff } from './running-vm.ts'
import { startVm } from './start-vm.ts'
import { createVBoxManage } from './vbox-manage.ts'

/** The program that is run, and its timeouts. */
export interface VirtualBoxEmulatorOptions {
  /** The command line of VirtualBox: a name or an absolute path. Debian has no package of it. @default 'VBoxManage' */
  readonly program?: string
  /** Directories in which the program is searched. @default the usual directories of a Linux system */
  readonly programDirectories?: readonly string[]
  /**
   * The environment of `VBoxManage`. No variable of the server is passed on. A VM that is not headless also needs
   * `DISPLAY`.
   *
   * @default PATH, HOME and an English locale
   */
  readonly environment?: ProcessEnvironment
  /** Milliseconds that one command can take. @default 60,000 */
  readonly timeoutMs?: number
  /** Milliseconds between two checks whether a VM still runs. @default 10,000 */
  readonly watchMs?: number
}

/**
 * Runs VirtualBox VMs of the server's user: existing ones, and linked clones that the first start creates. A start
 * requires VirtualBox 4.3 or newer. The UDP ports of its links are open on all addresses of the host and receive frames
 * from every sender: block them in the firewall of the host.
 *
 * @example
 * ```ts
 * import { virtualBoxEmulator } from '@trivium/process-emulators/virtualbox'
 *
 * // For `createEmulation`.
 * export const emulators = {
 *   'desktop-vm': virtualBoxEmulator(),
 * }
 * ```
 */
export function virtualBoxEmulator(options: VirtualBoxEmulatorOptions = {}): Emulator<'desktop-vm'> {
  const { timeoutMs = 60_000, watchMs = 10_000 } = options
  const manage = createVBoxManage({
    program: options.program ?? 'VBoxManage',
    directories: options.programDirectories ?? defaultProgramDirectories,
    environment: options.environment ?? plainEnvironment(),
    timeoutMs,
  })

  return {
    kind: 'desktop-vm',
    check: async (settings) => {
      networkCard(settings.adapterType)
      requirePlainName(settings.machineName)
      if (settings.cloneOf !== '') requirePlainName(settings.cloneOf)
      return settings
    },
    start: async (instance, wiring) => {
      const { id, directory, settings } = instance
      const { machineName, cloneOf } = settings
      const machine =
        cloneOf === '' ? machineName : await ensureLinkedClone(manage, { id, directory, cloneOf, name: machineName })
      return startVm({ manage, machine, instance, wiring, watchMs })
    },
    remove: (instance) => removeLinkedClone(manage, instance),
    endOrphans: async (strays) => {
      for (const { directory } of strays) {
        const left = await readRunningRecord(directory)
        if (left === undefined) continue
        await powerOff(manage, left.machine)
          .then(() => detachVm(manage, left.machine, left.adapters))
          .catch(() => {})
        await removeRunningRecord(directory)
      }
    },
    machineNames: async () => {
      const names: string[] = []
      for (const { name, uuid } of parseMachineList(await manage.run('list', 'vms'))) {
        const mark = await manage.run('getextradata', uuid, CLONE_MARK)
        if (mark.trim() !== 'Value: yes') names.push(name)
      }
      return names
    },
  }
}

/** Refuses names that are options of a command, or paths: the name of a clone is also that of a directory. */
function requirePlainName(name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
  if (name !== '' && !name.startsWith('-') && !/[/\\\u0000-\u001f]/.test(name) && name !== '.' && name !== '..') return
  throw new Refusal('not-allowed', `'${name}' can't be the name of a VirtualBox VM.`)
}
