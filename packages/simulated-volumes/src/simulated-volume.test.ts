import { volumeBackendConformance } from '@trivium/storage-core/conformance'
import { isVolumeRefusal, type KnownPrincipal } from '@trivium/storage-core/ports'
import { type SimulatedVolume, simulatedVolume } from './simulated-volume.ts'

async function write(volume: SimulatedVolume, path: string, size: number, user: KnownPrincipal) {
  const directory = path.split('/').slice(0, -1).join('/')
  if (directory && !(await volume.file(directory))) volume.files.makeDirectory(directory)
  try {
    volume.files.write(path, { size, user: user.id, group: user.id })
    return 'written'
  } catch (error) {
    if (isVolumeRefusal(error)) return 'refused'
    throw error
  }
}

volumeBackendConformance(() => {
  const volume = simulatedVolume({
    size: 512 * 2 ** 20,
    users: { one: 1001, two: 1002 },
    groups: { one: 1001, two: 1002 },
  })
  const { files } = volume
  return {
    backend: volume,
    users: [
      { id: '1001', name: 'one' },
      { id: '1002', name: 'two' },
    ],
    write: (path, size, user) => write(volume, path, size, user),
    writeSparse: async (path, size) => files.write(path, { size: 1, offset: size - 1 }),
    remove: async (path) => files.remove(path),
    makeDirectory: async (path) => files.makeDirectory(path),
    link: async (path, target) => files.link(path, target),
    contents: async (path) => files.contents(path),
    inClone: (clone) => {
      const open = async () => {
        const found = await volume.volumeClones?.open(clone)
        if (!found) throw new Error(`The clone '${clone.name}' does not exist`)
        return found
      }
      return {
        write: async (path, size, user) => write(await open(), path, size, user),
        contents: async (path) => (await open()).files.contents(path),
      }
    },
    host: {
      unmount: async () => volume.host.unmount(),
      mount: async () => volume.host.mount(),
      disableQuotas: async () => volume.host.disableQuotas(),
      enableQuotas: async () => volume.host.enableQuotas(),
      removeQtree: async (name) => files.remove(name),
    },
  }
})
