import type { NatSettings } from './settings.ts'

export type NatUpdate = NatSettings

export const updateNat = (settings: NatSettings): NatSettings => settings
