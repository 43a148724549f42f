import type { DesktopVmSettings } from './settings.ts'

/** Whether it is a clone is decided when it is made. */
export type DesktopVmUpdate = Partial<Omit<DesktopVmSettings, 'cloneOf'>>

export const updateDesktopVm = (settings: DesktopVmSettings, update: DesktopVmUpdate): DesktopVmSettings => ({
  ...settings,
  ...update,
})
