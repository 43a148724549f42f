export type { IouEmulatorOptions } from './iou-emulator.ts'
export { createIouEmulator } from './iou-emulator.ts'
