import { err, ok, type Result } from 'neverthrow'
import type { AttachedVolumes } from '../volumes/attached-volumes.ts'
import { filePath } from '../volumes/file-path.ts'
import type { Volume } from '../volumes/volume.ts'
import type { FileBlocks, FileStatus, VolumeBackend } from '../volumes/volume-backend.ts'
import { isVolumeRefusal } from '../volumes/volume-refusal.ts'

/** Why a file of a volume cannot be looked at. */
export type FindFileError =
  /** A path that is absolute, empty, too long, not valid Unicode, has `..` or a NUL, or leads out of the volume. */
  | { readonly type: 'invalid-file-path'; readonly path: string }
  | { readonly type: 'file-not-found'; readonly path: string }
  /** The file system is attached to another process, or is unavailable. The reason is a clause. */
  | { readonly type: 'file-unavailable'; readonly volume: string; readonly reason: string }

/** A file by its normalized path. */
export interface FoundFile extends FileStatus {
  readonly path: string
  /** Absent for other kinds than `file`. */
  readonly blocks?: FileBlocks
}

/** Looks at a file of a volume, and counts its blocks. */
export async function findFile(
  attached: AttachedVolumes,
  volume: Pick<Volume, 'uuid' | 'name'>,
  asked: string,
): Promise<Result<FoundFile, FindFileError>> {
  const path = filePath(asked)
  if (path === undefined) return err({ type: 'invalid-file-path', path: asked } as const)
  const backend = attached.backend(volume.uuid)
  if (!backend) {
    const reason = 'its file system is attached to another process'
    return err({ type: 'file-unavailable', volume: volume.name, reason } as const)
  }
  try {
    return await look(backend, path)
  } catch (error) {
    if (!isVolumeRefusal(error)) throw error
    if (error.reason === 'outside-volume') return err({ type: 'invalid-file-path', path } as const)
    if (error.reason === 'not-found') return err({ type: 'file-not-found', path } as const)
    return err({ type: 'file-unavailable', volume: volume.name, reason: error.message.replace(/\.$/, '') } as const)
  }
}

async function look(backend: VolumeBackend, path: string): Promise<Result<FoundFile, FindFileError>> {
  const status = await backend.file(path)
  if (!status) return err({ type: 'file-not-found', path } as const)
  if (status.kind !== 'file') return ok({ ...status, path })
  const blocks = await backend.fileBlocks({ path, identity: status.identity })
  return blocks ? ok({ ...status, path, blocks }) : err({ type: 'file-not-found', path } as const)
}
