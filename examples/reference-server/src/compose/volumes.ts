import { isVolumeRefusal, type VolumeBackend, type Worker } from '@trivium/storage-core/ports'
import { type Settings, SettingsError } from '../settings.ts'

export interface NamedVolume {
  readonly name: string
  /** `simulated`, or the directory. */
  readonly location: string
  readonly backend: VolumeBackend
}

export async function openVolumes({
  TRIVIUM_VOLUMES: volumes,
  TRIVIUM_CLONE_DIRECTORIES: cloneDirectories,
}: Settings): Promise<readonly NamedVolume[]> {
  const names = new Set(volumes.map(({ name }) => name))
  if (names.size < volumes.length)
    throw new SettingsError('TRIVIUM_VOLUMES: a name occurs twice. Each volume must have a name of its own.')
  const directories = new Map(cloneDirectories.map(({ name, location }) => [name, location]))
  for (const name of directories.keys()) {
    if (volumes.find((volume) => volume.name === name && volume.location !== 'simulated')) continue
    throw new SettingsError(`TRIVIUM_CLONE_DIRECTORIES: TRIVIUM_VOLUMES has no directory for the volume "${name}".`)
  }
  return Promise.all(
    volumes.map(async ({ name, location }) => ({
      name,
      location,
      backend: await open(name, location, directories.get(name)),
    })),
  )
}

/** Returns a worker for real volumes, with which the next start takes over the unfinished work of a killed server immediately. */
export async function workerOf(volumes: readonly NamedVolume[]): Promise<{ readonly worker?: Worker }> {
  if (volumes.every(({ location }) => location === 'simulated')) return {}
  const { linuxWorker } = await import('@trivium/linux-volumes')
  return { worker: linuxWorker() }
}

async function open(name: string, location: string, cloneDirectory: string | undefined): Promise<VolumeBackend> {
  if (location === 'simulated') {
    const { simulatedVolume } = await import('@trivium/simulated-volumes')
    return simulatedVolume()
  }
  const { openLinuxVolume } = await import('@trivium/linux-volumes')
  try {
    return await openLinuxVolume({ directory: location, ...(cloneDirectory !== undefined && { cloneDirectory }) })
  } catch (error) {
    if (!isVolumeRefusal(error)) throw error
    throw new SettingsError(`TRIVIUM_VOLUMES: the volume "${name}" cannot be opened (${error.message}).`)
  }
}
