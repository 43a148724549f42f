export type { IouEmulatorOptions } from './iou-emulator.ts'
export { iouEmulator } from './iou-emulator.ts'
