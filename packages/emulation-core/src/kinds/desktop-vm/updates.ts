import type { DesktopVmSettings } from './settings.ts'

/** Changes of a desktop VM. `cloneOf` is set at creation only. */
export type DesktopVmUpdate = Partial<Omit<DesktopVmSettings, 'cloneOf'>>

export const updateDesktopVm = (settings: DesktopVmSettings, update: DesktopVmUpdate): DesktopVmSettings => ({
  ...settings,
  ...update,
})
