import type { EnforcedLimit, QuotaNotice, VolumeBackend, VolumeClone, VolumeClones } from '@trivium/storage-core/ports'
import { VolumeRefusal } from '@trivium/storage-core/ports'
import type { Promisable } from 'type-fest'
import { type BlockPool, createBlockPool } from './blocks/block-pool.ts'
import { allocatedBytes, fingerprint } from './blocks/extent-list.ts'
import { cloneDirectories } from './clone-directories.ts'
import { cloneFiles } from './clone-files.ts'
import { createFileTree } from './files/file-tree.ts'
import { descendants, type FileNode, ownedBelow } from './files/tree-node.ts'
import { writeBytes } from './files/write-bytes.ts'
import { createPrincipals, type Principals, ROOT } from './principals.ts'
import { usageTarget } from './quotas/account-keys.ts'
import { describePassedLimit } from './quotas/describe-passed-limit.ts'
import { createQuotaAccounts } from './quotas/quota-accounts.ts'
import { createQuotaEnforcement } from './quotas/quota-enforcement.ts'
import { type VolumeTree, volumeClones } from './volume-clones.ts'
import { NOT_MOUNTED, type SimulatedHost, type VolumeHost, volumeHost } from './volume-host.ts'
import { volumeQtrees } from './volume-qtrees.ts'

/** The size of the volume, its users and groups, and a hook for tests. */
export interface SimulatedVolumeOptions {
  /** In bytes. @default 1 TiB */
  readonly size?: number
  /** The ids of users by their names. `root` always exists. Other names get an id at their first use. @default none */
  readonly users?: Readonly<Record<string, number>>
  /** The ids of groups by their names, in the same way. @default none */
  readonly groups?: Readonly<Record<string, number>>
  /** Awaited before each 1,000 files of a quota scan. A test can hold the scan with it. @default nothing is awaited */
  readonly onScan?: () => Promisable<void>
}

/**
 * A volume in memory. It keeps the sizes and owners of files and which blocks they share, not their contents. It
 * enforces quotas like a real volume. {@link SimulatedVolume.files} has the operations of its users, {@link
 * SimulatedVolume.host} those of the administrator of its machine.
 */
export interface SimulatedVolume extends VolumeBackend {
  readonly files: SimulatedFiles
  readonly host: SimulatedHost
  /** Absent in a clone. Clones are on the disk of the volume, so that its size is theirs. */
  readonly volumeClones?: SimulatedVolumeClones
}

/** The clones of a volume in memory, which are simulated volumes, too. */
export interface SimulatedVolumeClones extends VolumeClones {
  create(clone: VolumeClone): Promise<SimulatedVolume>
  open(clone: VolumeClone): Promise<SimulatedVolume | undefined>
}

/**
 * What users do to a volume, synchronously. Users and groups are given by name or by id. The default is `root`, whose
 * writes only the quotas of qtrees limit. Paths are relative to the volume.
 *
 * Every method throws a `VolumeRefusal` with `outside-volume` for a path that leads out of the volume.
 */
export interface SimulatedFiles {
  /**
   * Writes to a file, and creates it when it does not exist. A refused write changes no bytes. A file that it has
   * created stays, with a size of 0.
   *
   * @throws VolumeRefusal `quota-exceeded` with a message that names the limit, `no-space`, `not-found` when
   *   its directory does not exist, `not-a-file`
   */
  write(path: string, options: WriteOptions): void
  /**
   * Creates a directory and its missing parents, all with the same owner. Without effect when the directory exists.
   * Parents that were created before a refusal stay.
   *
   * @throws VolumeRefusal `quota-exceeded`, `exists` when a part of the path is not a directory, `not-found` for a name
   *   of more than 255 bytes
   */
  makeDirectory(path: string, owner?: Ownership): void
  /** Creates a symbolic link of `root`, which no quota refuses. @throws VolumeRefusal `exists`, `not-found` */
  link(path: string, target: string): void
  /** Shortens a file, or extends it by a hole, to `size` bytes. @throws VolumeRefusal `not-found`, `not-a-file` */
  truncate(path: string, size: number): void
  /** Removes a file, a link, or a directory with everything in it. @throws VolumeRefusal `not-found` */
  remove(path: string): void
  /**
   * Moves a file or directory. The qtree of `to` is charged from then on, also above its limits.
   *
   * @throws VolumeRefusal `exists`, `not-found`
   */
  rename(from: string, to: string): void
  /**
   * Changes the owner of a file or directory, not of its contents. Quotas charge the new owner from then on, also above
   * its limits.
   *
   * @throws VolumeRefusal `not-found`
   */
  changeOwner(path: string, owner: Ownership): void
  /**
   * Returns a fingerprint, which is equal for files with equal contents.
   *
   * @throws VolumeRefusal `not-found`, `not-a-file`
   */
  contents(path: string): string
}

/** The owner of a file or directory. */
export interface Ownership {
  /** @default 'root' */
  readonly user?: string
  /** @default the group of the user's id */
  readonly group?: string
}

/** What is written to a file, and its owner when the file is new. */
export interface WriteOptions extends Ownership {
  /** In bytes. */
  readonly size: number
  /** In bytes. @default the end of the file */
  readonly offset?: number
}

/**
 * Creates a volume in memory, for tests and demos.
 *
 * @example
 * ```ts
 * import { simulatedVolume } from '@trivium/simulated-volumes'
 *
 * const volume = simulatedVolume({ size: 2 ** 40, users: { sam: 1001 }, groups: { staff: 50 } })
 * volume.files.makeDirectory('home/sam', { user: 'sam' })
 * volume.files.write('home/sam/data', { size: 10 * 2 ** 20, user: 'sam', group: 'staff' })
 * console.log((await volume.space()).used)
 * ```
 *
 * ```text
 * 10485760
 * ```
 */
export function simulatedVolume({
  size = 2 ** 40,
  users: knownUsers = {},
  groups: knownGroups = {},
  onScan,
}: SimulatedVolumeOptions = {}): SimulatedVolume {
  const disk: Disk = {
    pool: createBlockPool(size),
    users: createPrincipals(knownUsers),
    groups: createPrincipals(knownGroups),
    ...(onScan && { onScan }),
  }
  const { volume, tree, whileMounted } = createVolume(disk)
  const clones = volumeClones({ tree, createEmpty: () => createVolume(disk) })
  return { ...volume, volumeClones: whileMounted(clones) }
}

/** What a volume shares with its clones. */
interface Disk extends Pick<SimulatedVolumeOptions, 'onScan'> {
  readonly pool: BlockPool
  readonly users: Principals
  readonly groups: Principals
}

/** Creates a volume without files. */
function createVolume({
  pool,
  users,
  groups,
  onScan,
}: Disk): VolumeTree<SimulatedVolume> & Pick<VolumeHost, 'whileMounted'> {
  const { size } = pool
  const accounts = createQuotaAccounts()
  const tree = createFileTree({ pool, accounts })
  const watchers = new Set<(notice: QuotaNotice) => void>()
  const notify = (notice: QuotaNotice) => {
    for (const watcher of watchers) watcher(notice)
  }
  const enforcement = createQuotaEnforcement({ accounts, users, groups, notify })

  const ownerOf = ({ user = ROOT, group }: Ownership) => {
    const { id } = users.resolve(user)
    return { user: id, group: group === undefined ? id : groups.resolve(group).id }
  }
  const existing = (path: string, follow?: 'every-link' | 'inner-links') => {
    const place = tree.place(path, follow)
    if (!place?.node) throw new VolumeRefusal('not-found', `'${path}' does not exist`)
    return { ...place, node: place.node }
  }
  const fileAt = (path: string): FileNode => {
    const { node } = existing(path)
    if (node.kind !== 'file') throw new VolumeRefusal('not-a-file', `'${path}' is not a file`)
    return node
  }
  const growByOne = (qtree: string | undefined, owner: ReturnType<typeof ownerOf>, make: () => void) => {
    const growth = { space: 0, files: 1 }
    const passed = enforcement.exceeded({ ...owner, qtree }, growth)
    if (passed) throw new VolumeRefusal('quota-exceeded', describePassedLimit(passed))
    make()
    enforcement.noticeSoftLimits({ ...owner, qtree }, growth)
  }

  const files: SimulatedFiles = {
    write: (path, { size: length, offset, ...ownership }) => {
      const owner = ownerOf(ownership)
      const place = tree.place(path) ?? tree.parent(path)
      if (!place.node) growByOne(place.directory.qtree, owner, () => tree.makeFile(place, owner))
      const file = fileAt(path)
      writeBytes({ pool, tree, enforcement }, file, offset ?? file.size, length)
    },
    makeDirectory: (path, ownership = {}) => {
      const owner = ownerOf(ownership)
      const names = path.split('/')
      for (let depth = 1; depth <= names.length; depth += 1) {
        const at = names.slice(0, depth).join('/')
        const place = tree.parent(at)
        if (place.node?.kind === 'directory') continue
        if (place.node) throw new VolumeRefusal('exists', `'${at}' exists and is not a directory`)
        growByOne(place.directory.qtree, owner, () => tree.makeDirectory(place, owner))
      }
    },
    link: (path, target) => {
      const place = tree.parent(path)
      if (place.node) throw new VolumeRefusal('exists', `'${path}' exists`)
      tree.makeLink(place, target)
    },
    truncate: (path, length) => {
      const file = fileAt(path)
      const before = allocatedBytes(file.extents)
      tree.truncate(file, length)
      enforcement.noticeSoftLimits(file, { space: allocatedBytes(file.extents) - before, files: 0 })
    },
    remove: (path) => {
      const place = existing(path, 'inner-links')
      const owners = ownedBelow(place.node)
      tree.remove(place)
      for (const { owner, space, files: count } of owners) {
        enforcement.noticeSoftLimits(owner, { space: -space, files: -count })
      }
    },
    rename: (from, to) => {
      const target = tree.parent(to)
      if (target.node) throw new VolumeRefusal('exists', `'${to}' exists`)
      tree.move(existing(from, 'inner-links'), target)
    },
    changeOwner: (path, ownership) => tree.chown(existing(path).node, ownerOf(ownership)),
    contents: (path) => {
      const file = fileAt(path)
      return fingerprint(file.size, file.extents)
    },
  }

  const { hasQtree, ...qtrees } = volumeQtrees({ tree, enforcement })
  const fileClones = cloneFiles({ tree, pool })
  const directoryClones = cloneDirectories({ tree, enforcement })
  const { host, whileMounted, enforces } = volumeHost({ enforcement })
  const existingLimits = (limits: readonly EnforcedLimit[]): readonly EnforcedLimit[] =>
    limits.filter(({ target: { qtree } }) => qtree === undefined || hasQtree(qtree))

  const mountedMethods = {
    space: async () => ({ size, used: pool.used(), available: size - pool.used() }),
    enableQuota: async (limits, { signal, onProgress }) => {
      const total = [...descendants(tree.root)].length
      for (let done = 0; done <= total; done += 1000) {
        await onScan?.()
        signal.throwIfAborted()
        onProgress?.(Math.min(done + 1000, total), total)
      }
      host.enableQuotas()
      enforcement.replace(existingLimits(limits))
    },
    disableQuota: async () => enforcement.replace([]),
    changeLimits: async ({ clear, set }) => {
      if (!enforces()) throw new VolumeRefusal('failed', 'Quotas are off in the file system')
      enforcement.change({ clear, set: existingLimits(set) })
    },
    usage: async () =>
      [...accounts.all()].map(({ account, ...usage }) => ({ target: usageTarget(account, users, groups), ...usage })),
    ...qtrees,
    ...fileClones,
    ...directoryClones,
    forgetClone: async (clone) => {
      await fileClones.forgetClone(clone)
      await directoryClones.forgetClone(clone)
    },
    file: async (path) => {
      const node = tree.place(path)?.node
      if (!node) return undefined
      const identity = String(node.inode)
      return { kind: node.kind === 'link' ? 'other' : node.kind, size: node.kind === 'file' ? node.size : 0, identity }
    },
  } satisfies Partial<VolumeBackend>

  const volume: SimulatedVolume = {
    files,
    host,
    ...whileMounted(mountedMethods),
    capabilities: async () => ({ fileSystem: 'simulated', qtrees: true, clones: true, usersPerQtree: true }),
    unsupported: async () => [],
    inspect: async ({ qtrees: names, limits }) => {
      if (!host.isMounted()) return { state: 'offline', reason: NOT_MOUNTED }
      const missing = names.filter((name) => !hasQtree(name))
      const lost = existingLimits(limits).filter((limit) => !enforcement.holds(limit))
      return { state: 'online', enforces: enforces() || limits.length === 0, missing, lost }
    },
    watchQuota: (listener) => {
      watchers.add(listener)
      return () => watchers.delete(listener)
    },
  }
  return { volume, tree, whileMounted }
}
