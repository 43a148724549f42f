import { type Emulator, Refusal } from '@trivium/emulation-core/ports'
import { usualProgramDirectories } from '../processes/find-program.ts'
import { type ProcessEnvironment, plainEnvironment } from '../processes/process-environment.ts'
import { CLONE_MARK, ensureLinkedClone, removeLinkedClone } from './linked-clone.ts'
import { parseMachineList } from './machine-readable.ts'
import { networkCard } from './network-card.ts'
import { readRunningRecord, removeRunningRecord } from './running-record.ts'
import { powerOff, tidyVm } from './running-vm.ts'
import { startVm } from './start-vm.ts'
import { createVBoxManage } from './vbox-manage.ts'

/** Which program is run, and how patiently. */
export interface VirtualBoxEmulatorOptions {
  /** The product's command line: a name, or an absolute path. Debian has no package of it. @default 'VBoxManage' */
  readonly program?: string
  /** Where the name is looked for. @default the usual directories of a Linux system */
  readonly programDirectories?: readonly string[]
  /** A VM that is not headless also needs `DISPLAY`. @default PATH, HOME and an English locale */
  readonly environment?: ProcessEnvironment
  /** How long one command may take. @default 60,000 */
  readonly timeoutMs?: number
  /** How often the product is asked whether a VM still runs. @default 10,000 */
  readonly watchMs?: number
}

/** VirtualBox VMs of the server's user: existing ones, and linked clones that are made at an instance's first start. */
export function virtualBoxEmulator(options: VirtualBoxEmulatorOptions = {}): Emulator<'desktop-vm'> {
  const { timeoutMs = 60_000, watchMs = 10_000 } = options
  const manage = createVBoxManage({
    program: options.program ?? 'VBoxManage',
    directories: options.programDirectories ?? usualProgramDirectories,
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
    reap: async (strays) => {
      for (const { directory } of strays) {
        const left = await readRunningRecord(directory)
        if (left === undefined) continue
        await powerOff(manage, left.machine)
          .then(() => tidyVm(manage, left.machine, left.adapters))
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

/** A name is also an argument of a command, and a clone's becomes a directory's. */
function requirePlainName(name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (name !== '' && !name.startsWith('-') && !/[/\\\u0000-\u001f]/.test(name) && name !== '.' && name !== '..') return
  throw new Refusal('not-allowed', `'${name}' can't be the name of a VirtualBox VM`)
}
