export type { LabReach, LabReachOptions } from '../reach/lab-reach.ts'
export { labReach } from '../reach/lab-reach.ts'
export type { NatEmulatorOptions } from './nat-emulator.ts'
export { natEmulator } from './nat-emulator.ts'
