import type { BigIntStats } from 'node:fs'
import { mkdir, readlink, rm as removeEntry, symlink } from 'node:fs/promises'
import { type CloneDirectoryRequest, type ClonedDirectory, VolumeRefusal } from '@trivium/storage-core/ports'
import { mv, rm, sync } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { copyTree } from './copy-tree.ts'
import { identityOfHandle, openDirectory, replaced, statusOf } from './entries.ts'
import { hasCode } from './error-code.ts'
import { identityOf } from './file-identity.ts'
import { draftOf, type HeldDirectory, heldPath, withDirectory } from './volume-paths.ts'

const REMOVE_TIMEOUT_MS = 60 * 60_000
const SYNC_TIMEOUT_MS = 10 * 60_000

export interface CloneDirectoryOptions {
  readonly run: RunProgram
  /** Refuses a directory whose quota is exceeded. @param directory a path through an open handle */
  readonly refuseExceeded: (directory: string) => Promise<void>
}

/**
 * Clones a directory by sharing the blocks of its files. It is built as a draft, which only root can enter, in the
 * directory of the destination, and renamed once it is complete. A mark with the identity of the draft shows a repeated
 * call that the draft was renamed, until {@link forgetDirectory}.
 */
export function cloneDirectory(
  root: string,
  request: CloneDirectoryRequest,
  options: CloneDirectoryOptions,
): Promise<ClonedDirectory> {
  const { id, source, destination, signal } = request
  const { run, refuseExceeded } = options
  return withDirectory(root, source, async (from) => {
    const original = await openDirectory(Buffer.from(from.path))
    if (!original) throw new VolumeRefusal('not-a-directory', `'${source}' is not a directory`)
    try {
      return await withDirectory(root, destination, async (to) => {
        const earlier = await findEarlierClone(id, to)
        if (earlier) return earlier
        await forgetIn(id, to, run)
        if (await statusOf(to.path)) throw new VolumeRefusal('exists', 'The destination exists')
        const draft = draftOf(id, to)
        await mkdir(draft.path, 0o700)
        const clone = await openDirectory(Buffer.from(draft.path))
        if (!clone) throw replaced(draft.name)
        const identity = await identityOfHandle(clone)
        try {
          await copyTree({ original, clone }, request, run)
          await run(sync, ['-f', heldPath(clone)], { timeoutMs: SYNC_TIMEOUT_MS })
          await refuseExceeded(`${heldPath(to.handle)}/.`)
          signal.throwIfAborted()
          await symlink(identity, markOf(id, to).path)
          await renameDraft(draft, to, identity, run)
          return { identity }
        } catch (error) {
          // After the loss of its job, the draft of that name is of another process.
          if (identityOfStatus(await statusOf(draft.path)) === identity) await forgetIn(id, to, run)
          throw error
        } finally {
          await clone.close()
        }
      })
    } finally {
      await original.close()
    }
  })
}

/** Removes the mark of a finished clone, and the draft of an unfinished one. */
export async function forgetDirectory(
  root: string,
  { id, destination }: Pick<CloneDirectoryRequest, 'id' | 'destination'>,
  run: RunProgram,
): Promise<void> {
  try {
    await withDirectory(root, destination, (to) => forgetIn(id, to, run))
  } catch (error) {
    // Its directory was removed.
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error
  }
}

async function forgetIn(id: string, to: HeldDirectory, run: RunProgram): Promise<void> {
  const draft = draftOf(id, to)
  // Unlike Node's `rm`, the program never follows a link that someone creates in the meantime.
  if ((await statusOf(draft.path))?.isDirectory()) {
    await run(rm, ['-rf', '--one-file-system', '--', draft.path], { timeoutMs: REMOVE_TIMEOUT_MS })
  }
  await removeEntry(markOf(id, to).path, { force: true })
}

function markOf(id: string, to: HeldDirectory): HeldDirectory {
  const draft = draftOf(id, to)
  return { ...draft, name: `${draft.name}-done`, path: `${draft.path}-done` }
}

async function findEarlierClone(id: string, to: HeldDirectory): Promise<ClonedDirectory | undefined> {
  const identity = await readlink(markOf(id, to).path).catch(() => undefined)
  const status = await statusOf(to.path)
  return identity !== undefined && identityOfStatus(status) === identity ? { identity } : undefined
}

async function renameDraft(draft: HeldDirectory, to: HeldDirectory, identity: string, run: RunProgram): Promise<void> {
  if (identityOfStatus(await statusOf(draft.path)) !== identity) throw replaced(draft.name)
  // Unlike Node's `rename`, the program does not replace an empty directory.
  await run(mv, ['-nT', '--', draft.path, to.path]).catch(async (error: unknown) => {
    if (!(await statusOf(to.path))) throw error
  })
  if (identityOfStatus(await statusOf(to.path)) === identity) return
  throw new VolumeRefusal('exists', 'The destination exists')
}

const identityOfStatus = (status: BigIntStats | undefined): string | undefined => status && identityOf(status)
