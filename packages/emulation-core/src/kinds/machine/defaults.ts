import type { MachineSettings } from './settings.ts'

export type NewMachine = Pick<MachineSettings, 'program'> & Partial<MachineSettings>

/** The settings of a new machine that a client does not name, and of a stored one that lacks them. */
export const machineDefaults: Omit<MachineSettings, 'program' | 'console' | 'monitor'> = {
  memoryMegabytes: 256,
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
