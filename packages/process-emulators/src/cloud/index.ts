export type { CloudEmulatorOptions } from './cloud-emulator.ts'
export { cloudEmulator } from './cloud-emulator.ts'
