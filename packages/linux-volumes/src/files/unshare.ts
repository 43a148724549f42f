import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { FileBlocks, FileIdentity, UnsharedSlice, UnshareSlice } from '@trivium/storage-core/ports'
import { type Extent, fileExtents } from '../extents/file-extents.ts'
import { xfsIo } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { hasCode } from './error-code.ts'
import { identityOf } from './file-identity.ts'
import { heldPath, openFile, withDirectory } from './volume-paths.ts'

/** Gives a run of shared bytes its own blocks. The contents do not change. */
export type UnshareRun = (file: FileHandle, run: Pick<Extent, 'offset' | 'length'>) => Promise<void>

/** Lets xfs unshare the bytes under the inode's lock, which is safe while others write. */
export const unshareByFileSystem =
  (run: RunProgram): UnshareRun =>
  async (file, { offset, length }) => {
    await run(xfsIo, ['-c', `funshare ${offset} ${length}`, heldPath(file)])
  }

const COPY_BYTES = 2 ** 20

/**
 * Writes the same bytes again, for file systems that cannot unshare. A concurrent write to the same bytes can be lost.
 * To shorten that time, at most 1 MiB is read before it is written.
 */
export const unshareByRewriting: UnshareRun = async (file, { offset, length }) => {
  const buffer = Buffer.allocUnsafe(Math.min(COPY_BYTES, length))
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, length - done), offset + done)
    if (bytesRead === 0) break
    const { bytesWritten } = await file.write(buffer, 0, bytesRead, offset + done)
    done += bytesWritten
  }
}

/** Counts the bytes that a file shares and those that it does not, or `undefined` where the file no longer exists. */
export function fileBlocks(root: string, file: FileIdentity, run: RunProgram): Promise<FileBlocks | undefined> {
  return withFile(root, file, constants.O_RDONLY, async (handle, size) => {
    const blocks = { shared: 0, unique: 0 }
    for (const { shared, length } of runsWithin(await fileExtents(heldPath(handle), run), size)) {
      blocks[shared ? 'shared' : 'unique'] += length
    }
    return blocks
  })
}

/**
 * Gives up to `maximum` shared bytes from `position` their own blocks. Returns `undefined` where the file no longer
 * exists.
 */
export function unshare(
  root: string,
  file: FileIdentity,
  { position, maximum, signal }: UnshareSlice,
  unshareRun: UnshareRun,
  run: RunProgram,
): Promise<UnsharedSlice | undefined> {
  return withFile(root, file, constants.O_RDWR, async (handle, size) => {
    let unshared = 0
    let at = position
    let done = true
    const runs = runsWithin(await fileExtents(heldPath(handle), run), size)
    for (const { offset, length } of runs.filter(({ shared }) => shared)) {
      const start = Math.max(offset, position)
      const end = offset + length
      if (end <= start) continue
      const take = Math.min(end - start, maximum - unshared)
      if (take > 0 && !signal.aborted) {
        await unshareRun(handle, { offset: start, length: take })
        unshared += take
        at = start + take
      }
      if (at < end) {
        done = false
        break
      }
    }
    await handle.sync()
    return { position: at, unshared, done }
  })
}

/** Runs, cut at the end of the file, since its last block can reach past it. */
const runsWithin = (extents: readonly Extent[], size: number): readonly Extent[] =>
  extents
    .filter(({ offset }) => offset < size)
    .map((extent) => ({ ...extent, length: Math.min(extent.length, size - extent.offset) }))

async function withFile<Result>(
  root: string,
  { path, identity }: FileIdentity,
  flags: number,
  use: (handle: FileHandle, size: number) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await withDirectory(root, path, async (directory) => {
      const handle = await openFile(directory, flags)
      try {
        const status = await handle.stat({ bigint: true })
        return identityOf(status) === identity ? await use(handle, Number(status.size)) : undefined
      } finally {
        await handle.close()
      }
    })
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
