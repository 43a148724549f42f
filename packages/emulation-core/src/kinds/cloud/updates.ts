import type { CloudSettings } from './settings.ts'

/** Changes of a cloud. `ports` replaces the whole list. */
export type CloudUpdate = Partial<CloudSettings>

export const updateCloud = (settings: CloudSettings, update: CloudUpdate): CloudSettings => ({
  ...settings,
  ...update,
})
