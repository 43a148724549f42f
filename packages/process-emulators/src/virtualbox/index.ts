export type { VirtualBoxEmulatorOptions } from './virtualbox-emulator.ts'
export { virtualBoxEmulator } from './virtualbox-emulator.ts'
