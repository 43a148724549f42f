import { type BigIntStats, constants } from 'node:fs'
import {
  copyFile,
  type FileHandle,
  lchown,
  link,
  lutimes,
  mkdir,
  open,
  opendir,
  readlink,
  symlink,
} from 'node:fs/promises'
import { type CloneDirectoryRequest, VolumeRefusal } from '@trivium/storage-core/ports'
import type { RunProgram } from '../programs/run-program.ts'
import { type AttributePair, copyAttributes } from './copy-attributes.ts'
import { identityOfHandle, ignoreAbsence, openDirectory, replaced, statusOf } from './entries.ts'
import { hasCode } from './error-code.ts'
import { heldPath } from './volume-paths.ts'

const { COPYFILE_FICLONE_FORCE, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants

/** Maximum number of pairs that are held open for one program. */
const PAIR_BATCH = 64

/** Longer paths are not linked, because the kernel takes at most 4,096 bytes. */
const MAXIMUM_LINKED_PATH = 4000

/**
 * Fills the empty clone of a directory, and gives it the owner, mode, times and attributes of the original. Shares the
 * blocks of every file. Closes no handle of the pair.
 */
export async function copyTree(
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
        throw new VolumeRefusal(
          'unsupported',
          `'${describe(at)}' cannot share its blocks, because it is stored without copies on write`,
          {
            cause: error,
          },
        )
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

async function makeDirectory(path: Buffer): Promise<FileHandle> {
  await mkdir(path, 0o700)
  return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
}

const childOf = (directory: FileHandle, name: Buffer): Buffer => join(Buffer.from(heldPath(directory)), name)

const join = (directory: Buffer, name: Buffer): Buffer =>
  directory.length === 0 ? name : Buffer.concat([directory, Buffer.from('/'), name])

const describe = (path: Buffer): string => path.toString()

const seconds = (nanoseconds: bigint): number => Number(nanoseconds) / 1e9
