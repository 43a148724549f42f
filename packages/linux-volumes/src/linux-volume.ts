import { readdir, realpath, rename, stat, statfs } from 'node:fs/promises'
import {
  type EnforcedLimit,
  type UnsupportedLimit,
  type VolumeBackend,
  type VolumeClones,
  VolumeRefusal,
} from '@trivium/storage-core/ports'
import { btrfsQuotaControl } from './btrfs/btrfs-quota-control.ts'
import { cloneDirectory, forgetDirectory } from './files/clone-directory.ts'
import { cloneFile, forgetDraft } from './files/clone-file.ts'
import { hasCode } from './files/error-code.ts'
import { fileStatus } from './files/file-status.ts'
import { fileBlocks, type UnshareRun, unshare, unshareByFileSystem, unshareByRewriting } from './files/unshare.ts'
import type { Mount } from './mounts/mount-info.ts'
import { serveMount } from './mounts/served-mount.ts'
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
  const directories = qtreeDirectories(root)
  const served = await serveMount(root, async (mount) => {
    const fileSystem = await fileSystemOf(root, mount, directories, run)
    const { cloneDirectory: homeDirectory, ...ofClone } = options
    if (homeDirectory === undefined) return fileSystem
    const found = await withRefusals(() => findCloneHome(homeDirectory, root, mount))
    const openClone = (clone: string) => openLinuxVolume({ ...ofClone, directory: clone })
    return { ...fileSystem, volumeClones: volumeClones({ root, directories, ...found, run, openClone }) }
  })
  const { hold, isTaken, place } = directories
  /** Calls `use` with the path of a qtree. @returns whether a qtree has that name */
  const withQtree = async (
    control: QuotaControl,
    name: string,
    use: (path: string) => Promise<void> = async () => {},
  ): Promise<boolean> => {
    const done = await hold(name, async (path) => {
      if (!(await control.isQtree(path))) return false
      await use(path)
      return true
    })
    return done ?? false
  }
  const listQtrees = async (control: QuotaControl): Promise<readonly string[]> => {
    const entries = await readdir(root, { withFileTypes: true })
    const names = entries.filter((entry) => entry.isDirectory() && entry.name !== DRAFT_NAME).map(({ name }) => name)
    return control.qtreesAmong(names)
  }
  const onMount = <Result>(step: (fileSystem: FileSystem) => Promise<Result>): Promise<Result> =>
    withRefusals(async () => step(await served.current()))
  const refuseUnsupported = (limits: readonly UnsupportedLimit[]): void => {
    const [first] = limits
    if (first) throw new VolumeRefusal('unsupported', `${sentence(first.reason)}.`, { limits })
  }
  const unsupported = ({ control }: FileSystem, limits: readonly EnforcedLimit[]): readonly UnsupportedLimit[] =>
    limits.flatMap((limit) => control.unsupported(limit) ?? [])

  const backend: VolumeBackend = {
    expectMount: async (earlier) => served.expect(earlier),
    capabilities: async () => {
      const { name, clones, control } = served.last
      return { fileSystem: name, qtrees: true, clones, usersPerQtree: control.usersPerQtree }
    },
    space: () =>
      onMount(async () => {
        const { bsize, blocks, bfree, bavail } = await statfs(root)
        return { size: bsize * blocks, used: bsize * (blocks - bfree), available: bsize * bavail }
      }),
    unsupported: async (limits) => unsupported(served.last, limits),
    enableQuota: (limits, { signal, onProgress }) =>
      onMount(async (fileSystem) => {
        const { control } = fileSystem
        refuseUnsupported(unsupported(fileSystem, limits))
        await control.prepare(signal)
        signal.throwIfAborted()
        const stale = await control.enforced(await listQtrees(control))
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
          await clearAll(control, await listQtrees(control))
          throw error
        }
        await control.settle()
      }),
    disableQuota: () => onMount(async ({ control }) => clearAll(control, await listQtrees(control))),
    changeLimits: (change) =>
      onMount(async (fileSystem) => {
        const { control } = fileSystem
        refuseUnsupported(unsupported(fileSystem, change.set))
        await control.change(change)
        await control.settle()
      }),
    inspect: (expected) =>
      withRefusals(async () => {
        const fileSystem = await served.current().catch(toOfflineReason)
        if (typeof fileSystem === 'string') return { state: 'offline', reason: fileSystem }
        if (!(await isDirectory(root))) return { state: 'offline', reason: `${root} is not a directory` }
        return { state: 'online', ...(await fileSystem.control.inspect(expected)) }
      }),
    usage: ({ qtrees, ...needs } = {}) =>
      onMount(async ({ control }) => {
        await control.settle()
        const existing = await listQtrees(control)
        const needed = qtrees && new Set(qtrees)
        return control.usage(needed ? existing.filter((name) => needed.has(name)) : existing, needs)
      }),
    countTreeOwners: (qtrees, signal) =>
      onMount(async ({ control }) => {
        const holdQtree: QtreeDirectories['hold'] = (name, use) =>
          hold(name, async (path) => ((await control.isQtree(path)) ? use(path) : undefined))
        return treeOwnerUsage(await countQtrees(qtrees, holdQtree, run, signal), run)
      }),
    listQtrees: () => onMount(({ control }) => listQtrees(control)),
    createQtree: (name, { unixPermissions }) =>
      onMount(async ({ control }) => {
        if (!(await withQtree(control, name))) {
          if (await isTaken(name)) throw new VolumeRefusal('exists', `'${name}' exists and is not a qtree`)
          await control.createQtree(name)
        }
        await hold(name, (path) => control.changePermissions(path, permissions(unixPermissions)))
      }),
    changeQtree: (name, { unixPermissions }) =>
      onMount(async ({ control }) => {
        if (unixPermissions === undefined) return
        const mode = permissions(unixPermissions)
        const isChanged = await withQtree(control, name, (path) => control.changePermissions(path, mode))
        if (!isChanged) throw qtreeNotFound(name)
      }),
    renameQtree: (from, to) =>
      onMount(async ({ control }) => {
        if (!(await withQtree(control, from))) {
          if (await withQtree(control, to)) return
          throw qtreeNotFound(from)
        }
        if (await isTaken(to)) throw new VolumeRefusal('exists', `'${to}' exists`)
        await rename(place(from), place(to))
      }),
    removeQtree: (name) =>
      onMount(async ({ control }) => {
        await withQtree(control, name, (path) => control.removeQtree(name, path))
      }),
    file: (path) => onMount(() => fileStatus(root, path)),
    cloneFile: (request) => onMount(() => cloneFile(root, request, run)),
    cloneDirectory: (request) =>
      onMount(({ clones, control }) => {
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
      onMount(async ({ control, unshareRun }) => {
        const done = await unshare(root, file, slice, unshareRun, run)
        await control.settle()
        return done
      }),
    ...(options.cloneDirectory !== undefined && {
      volumeClones: {
        create: (clone) => onMount((fileSystem) => clonesOf(fileSystem).create(clone)),
        open: (clone) => onMount((fileSystem) => clonesOf(fileSystem).open(clone)),
        remove: (clone) => onMount((fileSystem) => clonesOf(fileSystem).remove(clone)),
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

/** A file system that is mounted, and its kind. */
interface FileSystem {
  readonly name: string
  readonly control: QuotaControl
  readonly clones: boolean
  readonly unshareRun: UnshareRun
  /** Absent where the host allows no clones of the volume. */
  readonly volumeClones?: VolumeClones
}

function clonesOf({ volumeClones: clones }: FileSystem): VolumeClones {
  if (!clones) throw new VolumeRefusal('unsupported', 'The volume cannot be cloned')
  return clones
}

function toOfflineReason(error: unknown): string {
  if (error instanceof VolumeRefusal) return error.message
  throw error
}

async function fileSystemOf(
  root: string,
  mount: Mount | undefined,
  directories: QtreeDirectories,
  run: RunProgram,
): Promise<FileSystem> {
  if (!mount) throw notServed(root, 'no mounted file system')
  const { fileSystem: name } = mount
  switch (name) {
    case 'btrfs': {
      const control = btrfsQuotaControl(root, directories, mount, run)
      if (await control.isQtree(root)) return { name, control, clones: true, unshareRun: unshareByRewriting }
      throw new VolumeRefusal(
        'unsupported',
        `${root} is not the root of a btrfs subvolume: create one with 'btrfs subvolume create'`,
      )
    }
    case 'xfs':
      return {
        name,
        control: projectQuotaControl(root, directories, mount, run),
        clones: true,
        unshareRun: unshareByFileSystem(run),
      }
    case 'ext4':
      return {
        name,
        control: projectQuotaControl(root, directories, mount, run),
        clones: false,
        unshareRun: unshareByRewriting,
      }
    default:
      throw notServed(root, name)
  }
}

const notServed = (root: string, fileSystem: string) =>
  new VolumeRefusal('unsupported', `${root} is on ${fileSystem}: volumes must be on btrfs, xfs or ext4`)

async function clearAll(control: QuotaControl, qtrees: readonly string[]): Promise<void> {
  await control.change({ clear: await control.enforced(qtrees), set: [] })
  await control.settle()
}

/** Converts decimal digits such as 755 to the mode with these octal digits. */
const permissions = (digits: number): number => Number.parseInt(String(digits), 8)

const sentence = (reason: string): string => reason.charAt(0).toUpperCase() + reason.slice(1)
