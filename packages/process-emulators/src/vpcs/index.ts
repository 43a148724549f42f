export type { VpcsEmulatorOptions } from './vpcs-emulator.ts'
export { createVpcsEmulator } from './vpcs-emulator.ts'
