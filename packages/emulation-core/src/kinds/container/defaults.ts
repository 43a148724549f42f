import type { ContainerSettings } from './settings.ts'

export type NewContainer = Pick<ContainerSettings, 'image'> & Partial<ContainerSettings>

/** The settings of a new container that a client does not name, and of a stored one that lacks them. */
export const containerDefaults: Omit<ContainerSettings, 'image' | 'console'> = {
  consoleType: 'telnet',
  consoleCommand: '/bin/sh',
  startCommand: '',
  environment: [],
  adapters: 1,
  memoryMegabytes: 256,
  cpus: 1,
  volumes: [],
  startupConfigPath: '',
}
