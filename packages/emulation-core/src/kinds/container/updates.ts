import type { ContainerSettings } from './settings.ts'

/** Changes of a container. `environment` and `volumes` replace the whole list. */
export type ContainerUpdate = Partial<ContainerSettings>

export const updateContainer = (settings: ContainerSettings, update: ContainerUpdate): ContainerSettings => ({
  ...settings,
  ...update,
})
