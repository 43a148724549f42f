import { VolumeRefusal } from '@trivium/storage-core/ports'
import type { BlockPool, Extent } from '../blocks/block-pool.ts'
import { allocatedBytes, insert, punch } from '../blocks/extent-list.ts'
import { ROOT } from '../principals.ts'
import type { Owner } from '../quotas/account-keys.ts'
import type { QuotaAccounts } from '../quotas/quota-accounts.ts'
import { type Place, resolvePath } from './resolve-path.ts'
import { type DirectoryNode, type FileNode, subtree, type TreeNode, weight } from './tree-node.ts'

/** The files of a volume. Every change is charged to the accounts here, and only here. Quotas are not checked here. */
export interface FileTree {
  readonly root: DirectoryNode
  place(path: string, follow?: 'every-link' | 'inner-links'): Place | undefined
  /** Finds the directory for a new name, without following a link at the end. @throws VolumeRefusal `not-found` */
  parent(path: string): Place
  makeDirectory(place: Place, owner: Omit<Owner, 'qtree'>, qtree?: string): DirectoryNode
  makeFile(place: Place, owner: Omit<Owner, 'qtree'>): FileNode
  makeLink(place: Place, target: string): void
  /** Replaces what the file has at the offsets of the extents, which are not linked yet. */
  write(file: FileNode, extents: readonly Extent[], size: number): void
  /** Makes a range of a file a hole. */
  punch(file: FileNode, offset: number, length: number): void
  truncate(file: FileNode, size: number): void
  /** Removes a node with everything below it. */
  remove(place: Place): void
  /** Moves a node with everything below it. The qtree of the new directory is charged from then on. */
  move(from: Place, to: Place): void
  renameQtree(directory: DirectoryNode, name: string): void
  chown(node: TreeNode, owner: Omit<Owner, 'qtree'>): void
}

/** Bytes of UTF-8, as in most file systems. */
const MAXIMUM_NAME = 255

const encoder = new TextEncoder()

export function createFileTree({
  pool,
  accounts,
}: {
  readonly pool: BlockPool
  readonly accounts: QuotaAccounts
}): FileTree {
  let inodes = 1
  const newInode = () => {
    inodes += 1
    return inodes
  }
  const root: DirectoryNode = {
    kind: 'directory',
    inode: 1,
    user: ROOT,
    group: ROOT,
    qtree: undefined,
    entries: new Map(),
    permissions: 755,
  }

  const charge = (node: TreeNode, sign: 1 | -1) => {
    const { space, files } = weight(node)
    accounts.charge(node, { space: sign * space, files: sign * files })
  }
  const put = <Node extends TreeNode>({ directory, name }: Place, node: Node): Node => {
    directory.entries.set(name, node)
    charge(node, 1)
    return node
  }
  const changeExtents = (file: FileNode, change: () => readonly Extent[]) => {
    const before = allocatedBytes(file.extents)
    file.extents = change()
    accounts.charge(file, { space: allocatedBytes(file.extents) - before, files: 0 })
  }
  const recharge = (node: TreeNode, change: (one: TreeNode) => void) => {
    for (const one of subtree(node)) {
      charge(one, -1)
      change(one)
      charge(one, 1)
    }
  }
  const place: FileTree['place'] = (path, follow = 'every-link') => resolvePath(root, path, follow)

  return {
    root,
    place,
    parent: (path) => {
      const found = place(path, 'inner-links')
      if (!found) throw new VolumeRefusal('not-found', `The directory of '${path}' does not exist`)
      if (encoder.encode(found.name).length > MAXIMUM_NAME) {
        throw new VolumeRefusal('not-found', 'A name in the path is longer than 255 bytes')
      }
      return found
    },
    makeDirectory: (at, owner, qtree = at.directory.qtree) =>
      put(at, { kind: 'directory', inode: newInode(), ...owner, qtree, entries: new Map(), permissions: 755 }),
    makeFile: (at, owner) =>
      put(at, { kind: 'file', inode: newInode(), ...owner, qtree: at.directory.qtree, size: 0, extents: [] }),
    makeLink: (at, target) => {
      put(at, { kind: 'link', inode: newInode(), user: ROOT, group: ROOT, qtree: at.directory.qtree, target })
    },
    write: (file, extents, size) => {
      changeExtents(file, () => {
        let kept = file.extents
        for (const extent of extents) {
          pool.link(extent)
          kept = insert(punch(pool, kept, extent.offset, extent.length), [extent])
        }
        return kept
      })
      file.size = size
    },
    punch: (file, offset, length) => changeExtents(file, () => punch(pool, file.extents, offset, length)),
    truncate: (file, size) => {
      changeExtents(file, () => punch(pool, file.extents, size, Number.MAX_SAFE_INTEGER - size))
      file.size = size
    },
    remove: ({ directory, name, node }) => {
      if (!node) return
      for (const one of subtree(node)) {
        charge(one, -1)
        if (one.kind === 'file') for (const extent of one.extents) pool.unlink(extent)
      }
      directory.entries.delete(name)
    },
    move: (from, to) => {
      if (!from.node) return
      from.directory.entries.delete(from.name)
      to.directory.entries.set(to.name, from.node)
      recharge(from.node, (one) => {
        one.qtree = to.directory.qtree
      })
    },
    renameQtree: (directory, name) =>
      recharge(directory, (one) => {
        one.qtree = name
      }),
    chown: (node, { user, group }) => {
      charge(node, -1)
      node.user = user
      node.group = group
      charge(node, 1)
    },
  }
}
