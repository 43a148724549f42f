import type { EnforcedLimit, QuotaNotice, VolumeBackend } from '@trivium/storage-core/ports'
import { VolumeRefusal } from '@trivium/storage-core/ports'
import type { Promisable } from 'type-fest'
import { createBlockPool } from './blocks/block-pool.ts'
import { allocatedBytes, fingerprint } from './blocks/extent-list.ts'
import { cloneFiles } from './clone-files.ts'
import { createFileTree } from './files/file-tree.ts'
import { descendants, type FileNode, ownedBelow } from './files/tree-node.ts'
import { writeBytes } from './files/write-bytes.ts'
import { createPrincipals, ROOT } from './principals.ts'
import { usageTarget } from './quotas/account-keys.ts'
import { describePassedLimit } from './quotas/describe-passed-limit.ts'
import { createQuotaAccounts } from './quotas/quota-accounts.ts'
import { createQuotaEnforcement } from './quotas/quota-enforcement.ts'
import { NOT_MOUNTED, type SimulatedHost, volumeHost } from './volume-host.ts'
import { volumeQtrees } from './volume-qtrees.ts'

/** How large the volume is, and whom it knows. */
export interface SimulatedVolumeOptions {
  /** Bytes. @default 1 TiB */
  readonly size?: number
  /** Users by name with their ids; `root` is always there. Other names get ids when they are first heard. @default none */
  readonly users?: Readonly<Record<string, number>>
  /** Groups, in the same way. */
  readonly groups?: Readonly<Record<string, number>>
  /** Awaited once for every 1,000 files of a quota scan: a test can hold the scan here. */
  readonly onScan?: () => Promisable<void>
}

/**
 * A volume whose files are kept in memory, without their contents: sizes, owners and which blocks are shared. It obeys
 * quotas as a real one, and has the means to use it: {@link SimulatedVolume.files} for its users,
 * {@link SimulatedVolume.host} for the administrator of its machine.
 */
export interface SimulatedVolume extends VolumeBackend {
  readonly files: SimulatedFiles
  readonly host: SimulatedHost
}

/**
 * What users do to a volume. Users and groups are named, or given by id. Root is the default; its writes pass every
 * quota but those of qtrees.
 */
export interface SimulatedFiles {
  /**
   * Writes into a file, which is made if it is absent.
   *
   * @throws VolumeRefusal `quota-exceeded` with the limit in words, `no-space`, `not-found`, `not-a-file`
   */
  write(path: string, options: WriteOptions): void
  /** Makes a directory, and those above it. */
  makeDirectory(path: string, owner?: Ownership): void
  link(path: string, target: string): void
  /** Makes a file longer, with a hole, or shorter. */
  truncate(path: string, size: number): void
  remove(path: string): void
  rename(from: string, to: string): void
  changeOwner(path: string, owner: Ownership): void
  /** Something that is equal for files of equal contents. */
  contents(path: string): string
}

export interface Ownership {
  /** @default 'root' */
  readonly user?: string
  /** @default the group of the user's id */
  readonly group?: string
}

export interface WriteOptions extends Ownership {
  /** How many bytes. */
  readonly size: number
  /** @default the end of the file */
  readonly offset?: number
}

/** A volume in memory, with a way to write files that a test or a demo uses. */
export function simulatedVolume({
  size = 2 ** 40,
  users: knownUsers = {},
  groups: knownGroups = {},
  onScan,
}: SimulatedVolumeOptions = {}): SimulatedVolume {
  const users = createPrincipals(knownUsers)
  const groups = createPrincipals(knownGroups)
  const pool = createBlockPool(size)
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
    if (!place?.node) throw new VolumeRefusal('not-found', `${path} does not exist`)
    return { ...place, node: place.node }
  }
  const fileAt = (path: string): FileNode => {
    const { node } = existing(path)
    if (node.kind !== 'file') throw new VolumeRefusal('not-a-file', `${path} is no file`)
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
        if (place.node) throw new VolumeRefusal('exists', `${at} exists and is no directory`)
        growByOne(place.directory.qtree, owner, () => tree.makeDirectory(place, owner))
      }
    },
    link: (path, target) => {
      const place = tree.parent(path)
      if (place.node) throw new VolumeRefusal('exists', `${path} exists`)
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
      if (target.node) throw new VolumeRefusal('exists', `${to} exists`)
      tree.move(existing(from, 'inner-links'), target)
    },
    changeOwner: (path, ownership) => tree.chown(existing(path).node, ownerOf(ownership)),
    contents: (path) => {
      const file = fileAt(path)
      return fingerprint(file.size, file.extents)
    },
  }

  const { hasQtree, ...qtrees } = volumeQtrees({ tree, enforcement })
  const { host, whileMounted, enforces } = volumeHost({ enforcement })
  const present = (limits: readonly EnforcedLimit[]): readonly EnforcedLimit[] =>
    limits.filter(({ target: { qtree } }) => qtree === undefined || hasQtree(qtree))

  const asked = {
    space: async () => ({ size, used: pool.used(), available: size - pool.used() }),
    enableQuota: async (limits, { signal, onProgress }) => {
      const total = [...descendants(tree.root)].length
      for (let done = 0; done <= total; done += 1000) {
        await onScan?.()
        signal.throwIfAborted()
        onProgress?.(Math.min(done + 1000, total), total)
      }
      host.enableQuotas()
      enforcement.replace(present(limits))
    },
    disableQuota: async () => enforcement.replace([]),
    changeLimits: async ({ clear, set }) => {
      if (!enforces()) throw new VolumeRefusal('failed', 'The quotas of the file system are switched off')
      enforcement.change({ clear, set: present(set) })
    },
    usage: async () =>
      [...accounts.all()].map(({ account, ...usage }) => ({ target: usageTarget(account, users, groups), ...usage })),
    ...qtrees,
    ...cloneFiles({ tree, pool }),
    file: async (path) => {
      const node = tree.place(path)?.node
      if (!node) return undefined
      return { kind: node.kind === 'link' ? 'other' : node.kind, size: node.kind === 'file' ? node.size : 0 }
    },
  } satisfies Partial<VolumeBackend>

  return {
    files,
    host,
    ...whileMounted(asked),
    capabilities: async () => ({ fileSystem: 'simulated', qtrees: true, clones: true, usersPerQtree: true }),
    unsupported: async () => [],
    inspect: async ({ qtrees: names, limits }) => {
      if (!host.isMounted()) return { state: 'offline', reason: NOT_MOUNTED }
      const missing = names.filter((name) => !hasQtree(name))
      const lost = present(limits).filter((limit) => !enforcement.holds(limit))
      return { state: 'online', enforces: enforces() || limits.length === 0, missing, lost }
    },
    watchQuota: (listener) => {
      watchers.add(listener)
      return () => watchers.delete(listener)
    },
  }
}
