import { volumeBackendConformance } from '@trivium/storage-core/conformance'
import { isVolumeRefusal } from '@trivium/storage-core/ports'
import { simulatedVolume } from './simulated-volume.ts'

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
    write: async (path, size, user) => {
      const directory = path.split('/').slice(0, -1).join('/')
      if (directory && !(await volume.file(directory))) files.makeDirectory(directory)
      try {
        files.write(path, { size, user: user.id, group: user.id })
        return 'written'
      } catch (error) {
        if (isVolumeRefusal(error)) return 'refused'
        throw error
      }
    },
    writeSparse: async (path, size) => files.write(path, { size: 1, offset: size - 1 }),
    remove: async (path) => files.remove(path),
    makeDirectory: async (path) => files.makeDirectory(path),
    link: async (path, target) => files.link(path, target),
    contents: async (path) => files.contents(path),
    host: {
      unmount: async () => volume.host.unmount(),
      mount: async () => volume.host.mount(),
      disableQuotas: async () => volume.host.disableQuotas(),
      enableQuotas: async () => volume.host.enableQuotas(),
      removeQtree: async (name) => files.remove(name),
    },
  }
})
