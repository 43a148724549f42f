export type {
  SimulatedFiles,
  SimulatedVolume,
  SimulatedVolumeClones,
  SimulatedVolumeOptions,
} from './simulated-volume.ts'
export { simulatedVolume } from './simulated-volume.ts'
export type { SimulatedHost } from './volume-host.ts'
