import type { VirtualPcSettings } from './settings.ts'

export type VirtualPcUpdate = Partial<VirtualPcSettings>

export const updateVirtualPc = (settings: VirtualPcSettings, update: VirtualPcUpdate): VirtualPcSettings => ({
  ...settings,
  ...update,
})
