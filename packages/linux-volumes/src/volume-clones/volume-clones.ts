import { lstat, mkdir, opendir, readdir, rename, rmdir, stat } from 'node:fs/promises'
import { type VolumeBackend, type VolumeClone, type VolumeClones, VolumeRefusal } from '@trivium/storage-core/ports'
import { btrfsQuotaControl } from '../btrfs/btrfs-quota-control.ts'
import { hasCode } from '../files/error-code.ts'
import { identityOf } from '../files/file-identity.ts'
import type { Mount } from '../mounts/mount-info.ts'
import { btrfs, mv, rm } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { DRAFT_NAME, type QtreeDirectories, qtreeDirectories } from '../qtrees/qtree-directories.ts'
import type { QuotaControl } from '../quota-control.ts'
import type { CloneHome } from './clone-home.ts'
import { cloneMark, setCloneMark } from './clone-mark.ts'

/** `BTRFS_EMPTY_SUBVOL_DIR_OBJECTID`, the inode number of what a snapshot has in place of a subvolume. */
const STUB_INODE = 2n

/** The name of a clone while it is created or removed. */
const DRAFT = 'draft'

/** A snapshot first writes what the volume has only in memory. */
const SNAPSHOT_TIMEOUT_MS = 10 * 60_000
const REMOVE_TIMEOUT_MS = 60 * 60_000

export interface VolumeClonesOptions {
  /** The directory of the volume. */
  readonly root: string
  readonly directories: QtreeDirectories
  readonly mount: Mount
  readonly home: CloneHome
  readonly run: RunProgram
  readonly openClone: (directory: string) => Promise<VolumeBackend>
}

/** A directory that is held open, and its subvolumes. */
interface Place {
  readonly path: string
  readonly directories: QtreeDirectories
  readonly control: QuotaControl
}

/**
 * Clones a volume by snapshots of its subvolume and of its qtrees. A clone is a subvolume of the clone directory. An
 * attribute that only root can set has its id. It is created, and removed, in a directory that only root can enter. So a
 * clone of that name is always complete, and no user can change it before. That directory has the id in its name: the
 * next call of that id removes what an interrupted one has left.
 */
export function volumeClones(options: VolumeClonesOptions): VolumeClones {
  const { root, directories, mount, home, run, openClone } = options

  /** @param subvolume the path for programs, which need the root of a subvolume */
  const placeAt = (path: string, subvolume = root): Place => {
    const inside = qtreeDirectories(path)
    return { path, directories: inside, control: btrfsQuotaControl(subvolume, inside, mount, run) }
  }
  const holdHome = <Result>(clone: VolumeClone, use: (place: Place) => Promise<Result>): Promise<Result> => {
    checkNames(clone)
    return home.hold((path) => use(placeAt(path)))
  }
  const isClone = async ({ directories, control }: Place, { id, name }: VolumeClone): Promise<boolean> => {
    const found = await directories.hold(
      name,
      async (path) => (await control.isQtree(path)) && (await cloneMark(path, run)) === id,
    )
    return found ?? false
  }
  const open = (name: string): Promise<VolumeBackend> => openClone(`${home.path}/${name}`)

  const snapshot = async (source: string, destination: string): Promise<void> => {
    await run(btrfs, ['subvolume', 'snapshot', '--', source, destination], { timeoutMs: SNAPSHOT_TIMEOUT_MS })
  }
  /** Replaces the stub that a snapshot has in place of a qtree by a snapshot of the qtree. */
  const cloneQtree = async (name: string, draft: Place): Promise<void> => {
    const done = await directories.hold(name, async (qtree) => {
      if (!(await draft.control.isQtree(qtree))) return false
      await rmdir(draft.directories.place(name))
      await snapshot(qtree, draft.directories.place(name))
      return true
    })
    if (!done) throw new VolumeRefusal('failed', `The qtree '${name}' was changed while the volume was cloned`)
  }
  const fillDraft = async (draft: Place): Promise<void> => {
    await run(rm, ['-rf', '--one-file-system', '--', `${draft.path}/${DRAFT_NAME}`], { timeoutMs: REMOVE_TIMEOUT_MS })
    const qtrees: string[] = []
    for await (const entry of await opendir(draft.path)) {
      if (entry.isDirectory() && (await inodeAt(`${draft.path}/${entry.name}`)) === STUB_INODE) qtrees.push(entry.name)
    }
    for (const name of qtrees) await cloneQtree(name, draft)
    await clearLimits(draft.control, qtrees)
  }
  /** Creates a complete clone in a directory that only root can enter, and moves it to its name. */
  const createIn = async (staging: Place, place: Place, { id, name }: VolumeClone): Promise<void> => {
    const draft = staging.directories.place(DRAFT)
    await snapshot(`${root}/.`, draft)
    // Before anything is written to it, since the kernel gives a snapshot the limits of its original.
    await clearLimits(staging.control, [DRAFT])
    await staging.directories.hold(DRAFT, async (path) => {
      await fillDraft(placeAt(path, path))
      await setCloneMark(path, id, run)
    })
    const destination = place.directories.place(name)
    // Unlike Node's `rename`, the program does not replace an empty directory.
    await run(mv, ['-nT', '--', draft, destination]).catch(async (error: unknown) => {
      if (!(await place.directories.isTaken(name))) throw error
    })
    await place.control.settle()
    if (!(await isClone(place, { id, name }))) throw exists(name)
  }

  /** Removes what a call of that id has left, also an interrupted one. */
  const discard = async (place: Place, id: string): Promise<void> => {
    const name = stagingName(id)
    await place.directories.hold(name, async (path) => {
      const staging = placeAt(path)
      for (const entry of await readdir(path)) {
        await staging.directories.hold(entry, (subvolume) => staging.control.removeQtree(entry, subvolume))
      }
    })
    await rmdir(place.directories.place(name)).catch(ignoreAbsence)
  }
  /** Calls `use` with a new directory that only root can enter, and removes it with everything that is in it then. */
  const withStaging = async (place: Place, id: string, use: (staging: Place) => Promise<void>): Promise<void> => {
    const name = stagingName(id)
    await mkdir(place.directories.place(name), 0o700)
    await place.directories.hold(name, async (path) => {
      const own = await identityAt(path)
      try {
        await use(placeAt(path))
      } catch (error) {
        // Another process may have taken the id over. What cannot be removed now is removed by the next call.
        const isOwn = own === (await identityAt(place.directories.place(name)).catch(() => undefined))
        if (isOwn) await discard(place, id).catch(() => undefined)
        throw error
      }
    })
    await discard(place, id)
  }

  return {
    create: (clone) =>
      holdHome(clone, async (place) => {
        const { id, name } = clone
        await discard(place, id)
        if (!(await isClone(place, clone))) {
          if (await place.directories.isTaken(name)) throw exists(name)
          await withStaging(place, id, (staging) => createIn(staging, place, clone))
        }
        return open(name)
      }),
    open: (clone) => holdHome(clone, async (place) => ((await isClone(place, clone)) ? open(clone.name) : undefined)),
    remove: (clone) =>
      holdHome(clone, async (place) => {
        const { id, name } = clone
        await discard(place, id)
        if (!(await isClone(place, clone))) return
        await withStaging(place, id, (staging) =>
          rename(place.directories.place(name), staging.directories.place(DRAFT)),
        )
      }),
  }
}

const MAXIMUM_ID = 64

/** @throws VolumeRefusal `not-found` for names that lead elsewhere */
function checkNames({ id, name }: VolumeClone): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,202}$/.test(name)) {
    throw new VolumeRefusal('not-found', `'${name}' cannot be the name of a clone`)
  }
  if (id === '' || id.length > MAXIMUM_ID || /[/\0]/.test(id)) {
    throw new VolumeRefusal('not-found', `'${id}' cannot be the id of a clone`)
  }
}

const stagingName = (id: string): string => `.trivium-clone-${id}`

async function clearLimits(control: QuotaControl, names: readonly string[]): Promise<void> {
  await control.change({ clear: await control.enforced(names), set: [] })
}

const inodeAt = async (path: string): Promise<bigint | undefined> =>
  (await lstat(path, { bigint: true }).catch(ignoreAbsence))?.ino

const identityAt = async (path: string): Promise<string> => identityOf(await stat(path, { bigint: true }))

function ignoreAbsence(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error
}

const exists = (name: string) => new VolumeRefusal('exists', `'${name}' exists in the directory for clones`)
