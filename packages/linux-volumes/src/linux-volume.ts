import { readdir, realpath, rename, stat, statfs } from 'node:fs/promises'
import { type UnsupportedLimit, type VolumeBackend, VolumeRefusal } from '@trivium/storage-core/ports'
import { btrfsQuotaControl } from './btrfs/btrfs-quota-control.ts'
import { cloneDirectory, forgetDirectory } from './files/clone-directory.ts'
import { cloneFile, forgetDraft } from './files/clone-file.ts'
import { hasCode } from './files/error-code.ts'
import { fileStatus } from './files/file-status.ts'
import { fileBlocks, type UnshareRun, unshare, unshareByFileSystem, unshareByRewriting } from './files/unshare.ts'
import { findMount, type Mount } from './mounts/mount-info.ts'
import { countQtrees } from './owners/count-qtrees.ts'
import { treeOwnerUsage } from './owners/owner-usage.ts'
import { programRunner, type RunProgram } from './programs/run-program.ts'
import { projectQuotaControl } from './project-quotas/project-quota-control.ts'
import { DRAFT_NAME, type QtreeDirectories, qtreeDirectories } from './qtrees/qtree-directories.ts'
import type { QuotaControl } from './quota-control.ts'
import { withRefusals } from './refusals.ts'
import { findCloneHome } from './volume-clones/clone-home.ts'
import { volumeClones } from './volume-clones/volume-clones.ts'

/** The directory of a volume, and how its programs are run. */
export interface LinuxVolumeOptions {
  /**
   * The directory of the volume, which must exist on btrfs, xfs or ext4. On btrfs, it must be the root of a subvolume.
   */
  readonly directory: string
  /**
   * The directory in which clones of the whole volume are made, on btrfs. It must exist in the mount of the volume, not in
   * the volume, and only root may change its entries. @default the volume cannot be cloned
   */
  readonly cloneDirectory?: string
  /** Directories of the programs. @default ['/usr/sbin', '/usr/bin', '/sbin', '/bin'] */
  readonly programDirectories?: readonly string[]
  /** Seconds after which a program is killed. Programs that walk the whole volume have 10 to 60 minutes. @default 60 */
  readonly programTimeoutSeconds?: number
}

/**
 * Opens a directory of this machine as a volume whose quotas its file system enforces.
 *
 * | file system | trees | users and groups | clones |
 * |---|---|---|---|
 * | btrfs | subvolumes, limits of space | counted only | yes; splits rewrite |
 * | xfs | projects | yes, with defaults, where the volume is a whole file system | yes; splits unshare |
 * | ext4 | projects, which do not bind root | yes, where the volume is a whole file system | no |
 *
 * Refuses limits that the file system cannot enforce. The kernel's soft limits are not used: after a grace period, the
 * core sets the soft limit as the hard one. Needs root.
 *
 * @throws VolumeRefusal where the directory is absent or on another file system, and `unsupported` where no clones can be
 *   made in `cloneDirectory`
 *
 * @example
 * ```ts
 * import { openLinuxVolume } from '@trivium/linux-volumes'
 *
 * const volume = await openLinuxVolume({ directory: '/srv/data' })
 * console.log(await volume.capabilities())
 * ```
 */
export async function openLinuxVolume(options: LinuxVolumeOptions): Promise<VolumeBackend> {
  const { directory, programDirectories, programTimeoutSeconds = 60 } = options
  const run = programRunner({
    ...(programDirectories && { path: programDirectories.join(':') }),
    timeoutMs: programTimeoutSeconds * 1000,
  })
  const root = await withRefusals(() => realpath(directory))
  const mount = await findMount(root)
  const directories = qtreeDirectories(root)
  const { control, clones, unshareRun } = await fileSystemOf(root, mount, directories, run)
  const clonesOfVolume = await withRefusals(async () => {
    const { cloneDirectory: homeDirectory, ...ofClone } = options
    if (homeDirectory === undefined) return undefined
    const found = await findCloneHome(homeDirectory, root, mount)
    const openClone = (clone: string) => openLinuxVolume({ ...ofClone, directory: clone })
    return volumeClones({ root, directories, ...found, run, openClone })
  })
  const { hold, isTaken, place } = directories
  /** Calls `use` with the path of a qtree. @returns whether a qtree has that name */
  const withQtree = async (name: string, use: (path: string) => Promise<void> = async () => {}): Promise<boolean> => {
    const done = await hold(name, async (path) => {
      if (!(await control.isQtree(path))) return false
      await use(path)
      return true
    })
    return done ?? false
  }
  const listQtrees = async (): Promise<readonly string[]> => {
    const entries = await readdir(root, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isDirectory() && entry.name !== DRAFT_NAME).map(({ name }) => name)
    return control.qtreesAmong(names)
  }
  /**
   * The reason why the volume is offline. Without its mount, the directory is on another file system, which must not be
   * changed.
   */
  const offlineReason = async (): Promise<string | undefined> => {
    const now = await findMount(root)
    if (now?.mountPoint === mount?.mountPoint && now?.fileSystem === mount?.fileSystem) return undefined
    return `The file system of ${root} is no longer mounted`
  }
  const onMount = <Result>(step: () => Promise<Result>): Promise<Result> =>
    withRefusals(async () => {
      const reason = await offlineReason()
      if (reason === undefined) return step()
      throw new VolumeRefusal('failed', reason)
    })
  const refuseUnsupported = (limits: readonly UnsupportedLimit[]): void => {
    const [first] = limits
    if (first) throw new VolumeRefusal('unsupported', `${sentence(first.reason)}.`, { limits })
  }
  const unsupported: VolumeBackend['unsupported'] = async (limits) =>
    limits.flatMap((limit) => control.unsupported(limit) ?? [])

  const backend: VolumeBackend = {
    capabilities: async () => ({
      fileSystem: mount?.fileSystem ?? '',
      qtrees: true,
      clones,
      usersPerQtree: control.usersPerQtree,
    }),
    space: () =>
      onMount(async () => {
        const { bsize, blocks, bfree, bavail } = await statfs(root)
        return { size: bsize * blocks, used: bsize * (blocks - bfree), available: bsize * bavail }
      }),
    unsupported,
    enableQuota: (limits, { signal, onProgress }) =>
      onMount(async () => {
        refuseUnsupported(await unsupported(limits))
        await control.prepare(signal)
        signal.throwIfAborted()
        const stale = await control.enforced(await listQtrees())
        const total = stale.length + limits.length
        let done = 0
        const onChanged = (targets: number): void => {
          done += targets
          onProgress?.(done, total)
          signal.throwIfAborted()
        }
        try {
          await control.change({ clear: stale, set: limits }, onChanged)
        } catch (error) {
          await clearAll(control, await listQtrees())
          throw error
        }
        await control.settle()
      }),
    disableQuota: () => onMount(async () => clearAll(control, await listQtrees())),
    changeLimits: (change) =>
      onMount(async () => {
        refuseUnsupported(await unsupported(change.set))
        await control.change(change)
        await control.settle()
      }),
    inspect: (expected) =>
      withRefusals(async () => {
        const reason = (await offlineReason()) ?? ((await isDirectory(root)) ? undefined : `${root} is not a directory`)
        if (reason !== undefined) return { state: 'offline', reason }
        return { state: 'online', ...(await control.inspect(expected)) }
      }),
    usage: ({ qtrees, ...needs } = {}) =>
      onMount(async () => {
        await control.settle()
        const existing = await listQtrees()
        const needed = qtrees && new Set(qtrees)
        return control.usage(needed ? existing.filter((name) => needed.has(name)) : existing, needs)
      }),
    countTreeOwners: (qtrees, signal) =>
      onMount(async () => {
        const holdQtree: QtreeDirectories['hold'] = (name, use) =>
          hold(name, async (path) => ((await control.isQtree(path)) ? use(path) : undefined))
        return treeOwnerUsage(await countQtrees(qtrees, holdQtree, run, signal), run)
      }),
    listQtrees: () => onMount(listQtrees),
    createQtree: (name, { unixPermissions }) =>
      onMount(async () => {
        if (!(await withQtree(name))) {
          if (await isTaken(name)) throw new VolumeRefusal('exists', `'${name}' exists and is not a qtree`)
          await control.createQtree(name)
        }
        await hold(name, (path) => control.changePermissions(path, permissions(unixPermissions)))
      }),
    changeQtree: (name, { unixPermissions }) =>
      onMount(async () => {
        if (unixPermissions === undefined) return
        const mode = permissions(unixPermissions)
        if (!(await withQtree(name, (path) => control.changePermissions(path, mode)))) throw qtreeNotFound(name)
      }),
    renameQtree: (from, to) =>
      onMount(async () => {
        if (!(await withQtree(from))) {
          if (await withQtree(to)) return
          throw qtreeNotFound(from)
        }
        if (await isTaken(to)) throw new VolumeRefusal('exists', `'${to}' exists`)
        await rename(place(from), place(to))
      }),
    removeQtree: (name) =>
      onMount(async () => {
        await withQtree(name, (path) => control.removeQtree(name, path))
      }),
    file: (path) => onMount(() => fileStatus(root, path)),
    cloneFile: (request) => onMount(() => cloneFile(root, request, run)),
    cloneDirectory: (request) =>
      onMount(() => {
        if (clones) return cloneDirectory(root, request, { run, refuseExceeded: control.refuseExceeded })
        throw new VolumeRefusal('unsupported', 'This file system cannot share blocks between files')
      }),
    forgetClone: (clone) =>
      onMount(async () => {
        await forgetDirectory(root, clone, run)
        await forgetDraft(root, clone)
      }),
    fileBlocks: (file) => onMount(() => fileBlocks(root, file, run)),
    unshare: (file, slice) =>
      onMount(async () => {
        const done = await unshare(root, file, slice, unshareRun, run)
        await control.settle()
        return done
      }),
    ...(clonesOfVolume && {
      volumeClones: {
        create: (clone) => onMount(() => clonesOfVolume.create(clone)),
        open: (clone) => onMount(() => clonesOfVolume.open(clone)),
        remove: (clone) => onMount(() => clonesOfVolume.remove(clone)),
      },
    }),
  }
  return backend
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return false
    throw error
  }
}

const qtreeNotFound = (name: string) => new VolumeRefusal('not-found', `Qtree '${name}' does not exist`)

interface FileSystem {
  readonly control: QuotaControl
  readonly clones: boolean
  readonly unshareRun: UnshareRun
}

async function fileSystemOf(
  root: string,
  mount: Mount | undefined,
  directories: QtreeDirectories,
  run: RunProgram,
): Promise<FileSystem> {
  switch (mount?.fileSystem) {
    case 'btrfs': {
      const control = btrfsQuotaControl(root, directories, mount, run)
      if (await control.isQtree(root)) return { control, clones: true, unshareRun: unshareByRewriting }
      throw new VolumeRefusal(
        'unsupported',
        `${root} is not the root of a btrfs subvolume: create one with 'btrfs subvolume create'`,
      )
    }
    case 'xfs':
      return {
        control: projectQuotaControl(root, directories, mount, run),
        clones: true,
        unshareRun: unshareByFileSystem(run),
      }
    case 'ext4':
      return {
        control: projectQuotaControl(root, directories, mount, run),
        clones: false,
        unshareRun: unshareByRewriting,
      }
    default:
      throw new VolumeRefusal(
        'unsupported',
        `${root} is on ${mount?.fileSystem ?? 'no mounted file system'}: volumes must be on btrfs, xfs or ext4`,
      )
  }
}

async function clearAll(control: QuotaControl, qtrees: readonly string[]): Promise<void> {
  await control.change({ clear: await control.enforced(qtrees), set: [] })
  await control.settle()
}

/** Converts decimal digits such as 755 to the mode with these octal digits. */
const permissions = (digits: number): number => Number.parseInt(String(digits), 8)

const sentence = (reason: string): string => reason.charAt(0).toUpperCase() + reason.slice(1)
