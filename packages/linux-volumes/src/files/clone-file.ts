import { constants } from 'node:fs'
import { copyFile, type FileHandle, link, rename, rm } from 'node:fs/promises'
import { type ClonedFile, type CloneFileRequest, type CloneRange, VolumeRefusal } from '@trivium/storage-core/ports'
import { xfsIo } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { hasCode } from './error-code.ts'
import { identityOf } from './file-identity.ts'
import { draftOf, type HeldDirectory, heldPath, openFile, openIfExists, withDirectory } from './volume-paths.ts'

const { COPYFILE_FICLONE_FORCE, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = constants

/**
 * Clones by sharing blocks, never by copying. A new file appears under its name complete or not at all. It is created
 * as a draft in the same directory. The draft remains as a second name until {@link forgetDraft}, so that a repeated
 * call finds it.
 */
export function cloneFile(root: string, request: CloneFileRequest, run: RunProgram): Promise<ClonedFile> {
  const { source, destination, ranges, overwrite } = request
  return withDirectory(root, source, async (from) => {
    const original = await openFile(from, O_RDONLY)
    try {
      return await withDirectory(root, destination, async (to) => {
        const fill = (file: FileHandle) =>
          ranges
            ? shareRanges(original, file, ranges, run)
            : copyFile(heldPath(original), heldPath(file), COPYFILE_FICLONE_FORCE)
        const clonedFile = await findEarlierClone(request, to)
        if (clonedFile) return clonedFile
        const existing = await openIfExists(to, ranges ? O_RDWR : O_RDONLY)
        try {
          if (existing && !overwrite) throw new VolumeRefusal('exists', 'The destination exists')
          if (!existing || !ranges) return await createClone(request, original, to, existing !== undefined, fill)
          await fill(existing)
          await existing.sync()
          return await describeFile(existing)
        } finally {
          await existing?.close()
        }
      })
    } finally {
      await original.close()
    }
  })
}

/** Removes the draft that {@link cloneFile} keeps for a repeated call. */
export async function forgetDraft(
  root: string,
  { id, destination }: Pick<CloneFileRequest, 'id' | 'destination'>,
): Promise<void> {
  try {
    await withDirectory(root, destination, (to) => rm(draftOf(id, to).path, { force: true }))
  } catch (error) {
    // Its directory was removed.
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error
  }
}

/** Returns the file that an earlier call has put in place. Removes the draft of a call that has not. */
async function findEarlierClone({ id }: CloneFileRequest, to: HeldDirectory): Promise<ClonedFile | undefined> {
  const draft = draftOf(id, to)
  const openedDraft = await openIfExists(draft, O_RDONLY)
  if (!openedDraft) return undefined
  const draftFile = await describeFile(openedDraft).finally(() => openedDraft.close())
  const existing = await openFile(to, O_RDONLY).catch(() => undefined)
  const found = existing && (await describeFile(existing).finally(() => existing.close()))
  if (found?.identity === draftFile.identity) return draftFile
  await rm(draft.path, { force: true })
  return undefined
}

async function createClone(
  { id }: CloneFileRequest,
  original: FileHandle,
  to: HeldDirectory,
  replaces: boolean,
  fill: (file: FileHandle) => Promise<void>,
): Promise<ClonedFile> {
  const draft = draftOf(id, to)
  const clone = await openFile(draft, O_RDWR | O_CREAT | O_EXCL, 0o600)
  try {
    const { uid, gid, mode } = await original.stat()
    // First of all, since a file with the contents and mode of a user's program must never belong to root.
    await clone.chown(uid, gid)
    await fill(clone)
    await clone.chmod(mode & 0o7777)
    await clone.sync()
    if (replaces) await rename(draft.path, to.path)
    else await link(draft.path, to.path)
    return await verifyClone(clone, to)
  } catch (error) {
    await rm(draft.path, { force: true })
    throw error
  } finally {
    await clone.close()
  }
}

/** Checks that the name leads to the clone, since anyone who may write to the directory can replace it. */
async function verifyClone(clone: FileHandle, to: HeldDirectory): Promise<ClonedFile> {
  const clonedFile = await describeFile(clone)
  const existing = await openFile(to, O_RDONLY)
  const found = await describeFile(existing).finally(() => existing.close())
  if (found.identity === clonedFile.identity) return clonedFile
  throw new VolumeRefusal('failed', `'${to.name}' was replaced while it was created`)
}

async function shareRanges(
  original: FileHandle,
  clone: FileHandle,
  ranges: readonly CloneRange[],
  run: RunProgram,
): Promise<void> {
  const { size } = await original.stat()
  for (const { sourceOffset, length } of ranges) {
    if (sourceOffset + length > size) throw new VolumeRefusal('not-found', 'A range extends past the end of the source')
  }
  const commands = ranges.flatMap(({ sourceOffset, destinationOffset, length }) => [
    '-c',
    `reflink ${heldPath(original)} ${sourceOffset} ${destinationOffset} ${length}`,
  ])
  await run(xfsIo, [...commands, heldPath(clone)])
}

async function describeFile(clone: FileHandle): Promise<ClonedFile> {
  const status = await clone.stat({ bigint: true })
  return { identity: identityOf(status), size: Number(status.size) }
}
