import { randomUUID } from 'node:crypto'
import type { InstanceId, Kind, ProjectId } from '@trivium/emulation-core'
import type {
  DesktopVmSettings,
  EmulatedInstance,
  MachineSettings,
  ProcessRecord,
  RouterSettings,
  SettingsOf,
  StartOptions,
} from '@trivium/emulation-core/ports'

// The UUIDs of tests need no check.
export const instanceIdOf = (uuid: string) => uuid as InstanceId
export const newInstanceId = () => instanceIdOf(randomUUID())
export const newProjectId = () => randomUUID() as ProjectId

export const machineSettings: MachineSettings = {
  program: 'qemu-system-x86_64',
  console: 2000,
  monitor: 2001,
  memoryMegabytes: 64,
  adapters: 1,
  adapterType: 'e1000',
  cpuThrottlingPercent: 0,
  priority: 'low',
  primaryDisk: '',
  secondaryDisk: '',
  initialRamDisk: '',
  kernelImage: '',
  kernelCommandLine: '',
  options: '',
  legacyNetworking: false,
  tertiaryDisk: '',
  quaternaryDisk: '',
  primaryDiskInterface: 'ide',
  secondaryDiskInterface: 'ide',
  tertiaryDiskInterface: 'ide',
  quaternaryDiskInterface: 'ide',
  cdromImage: '',
  biosImage: '',
  uefi: false,
  bootPriority: 'c',
  macAddress: '',
  cpus: 1,
  maxCpus: 1,
  serialPorts: 1,
  consoleType: 'telnet',
  closeAction: 'power-off',
  customAdapters: [],
  usage: '',
}

export const routerSettings: RouterSettings = {
  image: 'router.bin',
  console: 2000,
  ethernetAdapters: 2,
  serialAdapters: 2,
  memoryMegabytes: 256,
  nvramKilobytes: 128,
  keepalives: false,
}

export const desktopVmSettings: DesktopVmSettings = {
  machineName: 'Desktop',
  cloneOf: '',
  console: 2000,
  remoteConsole: false,
  headless: true,
  adapters: 1,
  adapterType: 'Intel PRO/1000 MT Desktop (82540EM)',
  useAnyAdapter: false,
}

export const instanceOf = <K extends Kind>(
  kind: K,
  directory: string,
  settings: SettingsOf<K>,
  more: Partial<Pick<EmulatedInstance<K>, 'id' | 'name' | 'slot'>> = {},
): EmulatedInstance<K> => ({
  id: newInstanceId(),
  projectId: newProjectId(),
  kind,
  name: 'one',
  directory,
  settings,
  ...more,
})

/** Creates options that keep the processes that a start records last. */
export function createRecorder(): StartOptions & { readonly last: () => readonly ProcessRecord[] } {
  let last: readonly ProcessRecord[] = []
  return {
    last: () => last,
    recorded: async (processes) => {
      last = processes
    },
  }
}
