import type { NatSettings } from './settings.ts'

export type NewNat = NatSettings
