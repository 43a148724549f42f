import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { AttachedVolumes } from '../volumes/attached-volumes.ts'
import type { VolumeId } from '../volumes/volume.ts'
import type { VolumeError } from '../volumes/volumes.ts'
import { type FindFileError, findFile } from './find-file.ts'
import type { VolumeFile } from './volume-file.ts'

/** Why a file cannot be returned. */
export type FileError = VolumeError | FindFileError

/** The files of the volumes that this process reaches. */
export interface Files {
  /**
   * Looks at a file, a directory or another entry of a volume, without following a symbolic link. It counts the blocks
   * of a file, which takes longer the more fragments it has.
   */
  find(volume: string, path: string): ResultAsync<VolumeFile, FileError>
}

export interface FilesOptions {
  readonly repositories: Pick<StorageRepositories, 'volumes' | 'splits'>
  readonly attached: AttachedVolumes
}

export function createFiles({ repositories, attached }: FilesOptions): Files {
  const { volumes, splits } = repositories

  async function find(uuid: string, path: string): Promise<Result<VolumeFile, FileError>> {
    const volume = await volumes.find(uuid as VolumeId) // an id of a client
    if (!volume) return err({ type: 'volume-uuid-not-found', volume: uuid } as const)
    const found = await findFile(attached, volume, path)
    if (found.isErr()) return err(found.error)
    const { kind, size, identity, blocks } = found.value
    const split = blocks && (await splits.findByFile(volume.uuid, identity))
    return ok({
      volume: { uuid: volume.uuid, name: volume.name },
      path: found.value.path,
      kind,
      size,
      ...(blocks && { uniqueBytes: blocks.unique, sharedBytes: blocks.shared }),
      ...(split && { split }),
    })
  }
  return { find: (volume, path) => new ResultAsync(find(volume, path)) }
}
