export type { LinuxVolumeOptions } from './linux-volume.ts'
export { openLinuxVolume } from './linux-volume.ts'
export { linuxWorker } from './workers/linux-worker.ts'
