export type { ContainerEmulatorOptions } from './container-emulator.ts'
export { containerEmulator } from './container-emulator.ts'
