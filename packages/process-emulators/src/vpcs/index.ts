export type { VpcsEmulatorOptions } from './vpcs-emulator.ts'
export { vpcsEmulator } from './vpcs-emulator.ts'
