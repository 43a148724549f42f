export type { VirtualBoxEmulatorOptions } from './virtualbox-emulator.ts'
export { createVirtualBoxEmulator } from './virtualbox-emulator.ts'
