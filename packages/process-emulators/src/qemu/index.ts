export type { QemuEmulatorOptions } from './qemu-emulator.ts'
export { qemuEmulator } from './qemu-emulator.ts'
