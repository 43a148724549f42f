import type { RouterSettings } from './settings.ts'

export type RouterUpdate = Partial<RouterSettings>

export const updateRouter = (settings: RouterSettings, update: RouterUpdate): RouterSettings => ({
  ...settings,
  ...update,
})
