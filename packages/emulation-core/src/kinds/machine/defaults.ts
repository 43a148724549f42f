import type { MachineSettings } from './settings.ts'

export type NewMachine = Pick<MachineSettings, 'program'> & Partial<MachineSettings>

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
}
