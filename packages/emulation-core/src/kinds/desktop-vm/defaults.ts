import type { DesktopVmSettings } from './settings.ts'

/**
 * Settings of a new desktop VM. `machineName` is the VM to wrap or, for a linked clone, to clone. A clone gets the name
 * of the instance.
 */
export type NewDesktopVm = Pick<DesktopVmSettings, 'machineName'> &
  Partial<Omit<DesktopVmSettings, 'cloneOf'>> & { readonly linkedClone?: boolean }

export const desktopVmDefaults: Omit<DesktopVmSettings, 'machineName' | 'cloneOf' | 'console'> = {
  remoteConsole: false,
  headless: false,
  adapters: 0,
  adapterType: 'Intel PRO/1000 MT Desktop (82540EM)',
  useAnyAdapter: false,
}
