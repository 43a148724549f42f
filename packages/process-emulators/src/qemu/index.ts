export type { QemuEmulatorOptions } from './qemu-emulator.ts'
export { createQemuEmulator } from './qemu-emulator.ts'
