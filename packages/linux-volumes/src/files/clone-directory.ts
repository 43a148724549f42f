import { type BigIntStats, constants } from 'node:fs'
import {
  copyFile,
  type FileHandle,
  lchown,
  link,
  lstat,
  lutimes,
  mkdir,
  open,
  opendir,
  readlink,
  rm as removeEntry,
  symlink,
} from 'node:fs/promises'
import { type CloneDirectoryRequest, type ClonedDirectory, VolumeRefusal } from '@trivium/storage-core/ports'
import { mv, rm, sync } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { type AttributePair, copyAttributes } from './copy-attributes.ts'
import { hasCode } from './error-code.ts'
import { identityOf } from './file-identity.ts'
import { draftOf, type HeldDirectory, heldPath, withDirectory } from './volume-paths.ts'

const { COPYFILE_FICLONE_FORCE, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants

/** Maximum number of pairs that are held open for one program. */
const PAIR_BATCH = 64

/** Longer paths are not linked, because the kernel takes at most 4,096 bytes. */
const MAXIMUM_LINKED_PATH = 4000

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
          await fillDraft({ original, clone }, request, run)
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

const markOf = (id: string, to: HeldDirectory): HeldDirectory => {
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

/** Fills a draft, and gives it the owner, mode, times and attributes of the original. Closes no handle of the pair. */
async function fillDraft(
  root: AttributePair,
  { source, maximumEntries, maximumDepth, signal }: CloneDirectoryRequest,
  run: RunProgram,
): Promise<void> {
  const draftIdentity = await identityOfHandle(root.clone)
  /** The first path in the draft of each file with several names. */
  const linked = new Map<string, Buffer>()
  const opened: AttributePair[] = []
  let entries = 0

  async function flush(): Promise<void> {
    await copyAttributes(opened, run)
    for (const pair of opened) await finish(pair)
    await closeAll(opened)
  }
  async function add(pair: AttributePair): Promise<void> {
    opened.push(pair)
    if (opened.length >= PAIR_BATCH) await flush()
  }

  async function fill({ original, clone }: AttributePair, at: Buffer, depth: number): Promise<void> {
    // Names can be any bytes, which this encoding keeps.
    for await (const { name } of await opendir(heldPath(original), { encoding: 'latin1' })) {
      signal.throwIfAborted()
      entries += 1
      if (entries > maximumEntries) {
        throw new VolumeRefusal('too-large', `'${source}' has more than ${maximumEntries} entries`)
      }
      if (depth > maximumDepth) {
        throw new VolumeRefusal('too-large', `'${source}' has more than ${maximumDepth} levels of directories`)
      }
      const bytes = Buffer.from(name, 'latin1')
      await cloneEntry(childOf(original, bytes), childOf(clone, bytes), join(at, bytes), depth)
    }
  }

  async function cloneEntry(from: Buffer, to: Buffer, at: Buffer, depth: number): Promise<void> {
    const status = await statusOf(from)
    if (!status) return // It was removed meanwhile.
    if (status.isSymbolicLink()) return cloneLink(from, to, status, at)
    if (status.isDirectory()) return cloneInner(from, to, at, depth)
    if (status.isFile()) return cloneOrdinary(from, to, status, at)
    throw new VolumeRefusal('not-a-file', `'${describe(at)}' is a pipe, a socket or a device, which cannot be cloned`)
  }

  async function cloneInner(from: Buffer, to: Buffer, at: Buffer, depth: number): Promise<void> {
    const original = await openDirectory(from).catch(ignoreAbsence)
    if (!original) return
    const clone = await makeDirectory(to).catch(closing(original))
    const pair = { original, clone }
    try {
      if ((await identityOfHandle(original)) === draftIdentity) {
        throw new VolumeRefusal('failed', 'A directory cannot be cloned into itself')
      }
      await fill(pair, at, depth + 1)
    } catch (error) {
      await closeAll([pair])
      throw error
    }
    await add(pair)
  }

  async function cloneOrdinary(from: Buffer, to: Buffer, status: BigIntStats, at: Buffer): Promise<void> {
    const key = `${status.dev}/${status.ino}`
    const first = linked.get(key)
    if (first) return link(childOf(root.clone, first), to)
    const original = await open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(ignoreAbsence)
    if (!original) return
    const clone = await open(to, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600).catch(closing(original))
    const pair = { original, clone }
    try {
      const now = await original.stat()
      if (!now.isFile()) throw replaced(describe(at))
      // First of all, so that the blocks are charged to the owner.
      await clone.chown(now.uid, now.gid)
      await copyFile(heldPath(original), heldPath(clone), COPYFILE_FICLONE_FORCE).catch((error: unknown) => {
        if (!hasCode(error, 'EINVAL')) throw error
        throw new VolumeRefusal('unsupported', `'${describe(at)}' cannot share its blocks (chattr +C)`, {
          cause: error,
        })
      })
    } catch (error) {
      await closeAll([pair])
      throw error
    }
    if (status.nlink > 1n && at.length < MAXIMUM_LINKED_PATH) linked.set(key, at)
    await add(pair)
  }

  try {
    await fill(root, Buffer.alloc(0), 1)
    await flush()
    await copyAttributes([root], run)
    await finish(root)
  } catch (error) {
    if (['ENOTDIR', 'ELOOP', 'EINVAL'].some((code) => hasCode(error, code))) throw replaced(source)
    throw error
  } finally {
    await closeAll(opened)
  }
}

async function cloneLink(from: Buffer, to: Buffer, status: BigIntStats, at: Buffer): Promise<void> {
  const target = await readlink(from, { encoding: 'buffer' }).catch((error: unknown) => {
    throw hasCode(error, 'EINVAL') ? replaced(describe(at)) : error
  })
  await symlink(target, to)
  await lchown(to, Number(status.uid), Number(status.gid))
  await lutimes(to, seconds(status.atimeNs), seconds(status.mtimeNs))
}

/** Gives a clone the owner, mode and times of its original. */
async function finish({ original, clone }: AttributePair): Promise<void> {
  const { uid, gid, mode, atimeNs, mtimeNs } = await original.stat({ bigint: true })
  const now = await clone.stat({ bigint: true })
  // A change of the owner removes the capabilities of a program.
  if (now.uid !== uid || now.gid !== gid) await clone.chown(Number(uid), Number(gid))
  await clone.chmod(Number(mode) & 0o7777)
  await clone.utimes(seconds(atimeNs), seconds(mtimeNs))
}

async function closeAll(pairs: AttributePair[]): Promise<void> {
  for (const { original, clone } of pairs.splice(0)) {
    await original.close()
    await clone.close()
  }
}

/** Closes a handle when the next step fails. */
const closing =
  (handle: FileHandle) =>
  async (error: unknown): Promise<never> => {
    await handle.close()
    throw error
  }

/** Opens a directory. @returns `undefined` for another entry, also for a link to a directory */
async function openDirectory(path: Buffer): Promise<FileHandle | undefined> {
  try {
    return await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  } catch (error) {
    if (hasCode(error, 'ENOTDIR') || hasCode(error, 'ELOOP')) return undefined
    throw error
  }
}

async function makeDirectory(path: Buffer): Promise<FileHandle> {
  await mkdir(path, 0o700)
  return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
}

const statusOf = (path: Buffer | string): Promise<BigIntStats | undefined> =>
  lstat(path, { bigint: true }).catch(ignoreAbsence)

function ignoreAbsence(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}

const identityOfStatus = (status: BigIntStats | undefined): string | undefined => status && identityOf(status)

const identityOfHandle = async (handle: FileHandle): Promise<string> => identityOf(await handle.stat({ bigint: true }))

const childOf = (directory: FileHandle, name: Buffer): Buffer => join(Buffer.from(heldPath(directory)), name)

const join = (directory: Buffer, name: Buffer): Buffer =>
  directory.length === 0 ? name : Buffer.concat([directory, Buffer.from('/'), name])

const describe = (path: Buffer): string => path.toString()

const seconds = (nanoseconds: bigint): number => Number(nanoseconds) / 1e9

const replaced = (path: string) => new VolumeRefusal('failed', `'${path}' was replaced while it was cloned`)
