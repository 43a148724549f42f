export type {
  Ownership,
  SimulatedFiles,
  SimulatedVolume,
  SimulatedVolumeOptions,
  WriteOptions,
} from './simulated-volume.ts'
export { simulatedVolume } from './simulated-volume.ts'
