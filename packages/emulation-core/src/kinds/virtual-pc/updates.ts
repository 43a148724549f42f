import type { VirtualPcSettings } from './settings.ts'

export type VirtualPcUpdate = Partial<Omit<VirtualPcSettings, 'engine'>>

export const updateVirtualPc = (settings: VirtualPcSettings, update: VirtualPcUpdate): VirtualPcSettings => ({
  ...settings,
  ...update,
})
