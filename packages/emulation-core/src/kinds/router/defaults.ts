import type { RouterSettings } from './settings.ts'

export type NewRouter = Pick<RouterSettings, 'image'> & Partial<RouterSettings>

export const routerDefaults: Omit<RouterSettings, 'image' | 'console'> = {
  ethernetAdapters: 2,
  serialAdapters: 2,
  memoryMegabytes: 256,
  nvramKilobytes: 128,
  keepalives: false,
}
