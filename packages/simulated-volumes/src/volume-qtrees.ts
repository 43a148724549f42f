import { type VolumeBackend, VolumeRefusal } from '@trivium/storage-core/ports'
import type { FileTree } from './files/file-tree.ts'
import type { DirectoryNode } from './files/tree-node.ts'
import { ROOT } from './principals.ts'
import type { QuotaEnforcement } from './quotas/quota-enforcement.ts'

type QtreeMethods = Pick<
  VolumeBackend,
  'listQtrees' | 'createQtree' | 'changeQtree' | 'renameQtree' | 'removeQtree'
> & {
  /** Whether a qtree of that name exists. */
  readonly hasQtree: (name: string) => boolean
}

export interface VolumeQtreesOptions {
  readonly tree: FileTree
  readonly enforcement: QuotaEnforcement
}

/** A qtree is a directory at the top of the volume whose `qtree` is its own name. */
export function volumeQtrees({ tree, enforcement }: VolumeQtreesOptions): QtreeMethods {
  const { entries } = tree.root
  const find = (name: string): DirectoryNode | undefined => {
    const node = entries.get(name)
    return node?.kind === 'directory' && node.qtree === name ? node : undefined
  }
  const existing = (name: string): DirectoryNode => {
    const qtree = find(name)
    if (!qtree) throw new VolumeRefusal('not-found', `Qtree '${name}' does not exist`)
    return qtree
  }
  const refuseTaken = (name: string) => {
    if (entries.has(name)) throw new VolumeRefusal('exists', `'${name}' exists and is not a qtree`)
  }
  return {
    hasQtree: (name) => find(name) !== undefined,
    listQtrees: async () => [...entries.keys()].filter((name) => find(name)),
    createQtree: async (name, { unixPermissions }) => {
      if (find(name)) return
      refuseTaken(name)
      const place = { directory: tree.root, name, node: undefined }
      const directory = tree.makeDirectory(place, { user: ROOT, group: ROOT }, name)
      directory.permissions = unixPermissions
    },
    changeQtree: async (name, { unixPermissions }) => {
      if (unixPermissions !== undefined) existing(name).permissions = unixPermissions
    },
    renameQtree: async (from, to) => {
      if (!find(from) && find(to)) return
      const qtree = existing(from)
      refuseTaken(to)
      entries.delete(from)
      entries.set(to, qtree)
      tree.renameQtree(qtree, to)
      enforcement.renameQtree(from, to)
    },
    removeQtree: async (name) => {
      const node = find(name)
      if (node) tree.remove({ directory: tree.root, name, node })
    },
  }
}
