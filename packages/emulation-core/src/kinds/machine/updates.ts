import type { MachineSettings } from './settings.ts'

export type MachineUpdate = Partial<MachineSettings>

export const updateMachine = (settings: MachineSettings, update: MachineUpdate): MachineSettings => ({
  ...settings,
  ...update,
})
