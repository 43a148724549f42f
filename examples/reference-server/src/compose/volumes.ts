import { isVolumeRefusal, type VolumeBackend, type Worker } from '@trivium/storage-core/ports'
import { type Settings, SettingsError } from '../settings.ts'

export interface NamedVolume {
  readonly name: string
  /** `simulated`, or the directory. */
  readonly location: string
  readonly backend: VolumeBackend
}

export async function openVolumes({ TRIVIUM_VOLUMES: volumes }: Settings): Promise<readonly NamedVolume[]> {
  const names = new Set(volumes.map(({ name }) => name))
  if (names.size < volumes.length)
    throw new SettingsError('TRIVIUM_VOLUMES: a name occurs twice. Each volume must have a name of its own.')
  return Promise.all(
    volumes.map(async ({ name, location }) => ({ name, location, backend: await open(name, location) })),
  )
}

/** Returns a worker for real volumes, with which the next start takes over the unfinished work of a killed server immediately. */
export async function workerOf(volumes: readonly NamedVolume[]): Promise<{ readonly worker?: Worker }> {
  if (volumes.every(({ location }) => location === 'simulated')) return {}
  const { linuxWorker } = await import('@trivium/linux-volumes')
  return { worker: linuxWorker() }
}

async function open(name: string, location: string): Promise<VolumeBackend> {
  if (location === 'simulated') {
    const { simulatedVolume } = await import('@trivium/simulated-volumes')
    return simulatedVolume()
  }
  const { openLinuxVolume } = await import('@trivium/linux-volumes')
  try {
    return await openLinuxVolume({ directory: location })
  } catch (error) {
    if (!isVolumeRefusal(error)) throw error
    throw new SettingsError(`TRIVIUM_VOLUMES: the volume "${name}" cannot be opened (${error.message}).`)
  }
}
