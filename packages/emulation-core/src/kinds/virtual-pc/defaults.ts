import type { VirtualPcSettings } from './settings.ts'

export type NewVirtualPc = Partial<VirtualPcSettings>

export const virtualPcDefaults: Omit<VirtualPcSettings, 'console'> = {}
