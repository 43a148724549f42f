import type { CloudSettings } from './settings.ts'

export type NewCloud = Partial<CloudSettings>

export const cloudDefaults: CloudSettings = { ports: [] }
