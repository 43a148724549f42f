import { type VolumeClone, VolumeRefusal } from '@trivium/storage-core/ports'
import type { FileTree } from './files/file-tree.ts'
import { makeCopy } from './files/make-copy.ts'
import type { Place } from './files/resolve-path.ts'
import type { TreeNode } from './files/tree-node.ts'

/** A volume and its files. */
export interface VolumeTree<Volume> {
  readonly volume: Volume
  readonly tree: FileTree
}

export interface VolumeClonesOptions<Volume> {
  readonly tree: FileTree
  /** Creates a volume without files on the same disk. */
  readonly createEmpty: () => VolumeTree<Volume>
}

/** @typeParam Volume the type of volumes and of their clones */
export function volumeClones<Volume>({ tree, createEmpty }: VolumeClonesOptions<Volume>) {
  const clones = new Map<string, VolumeTree<Volume> & { readonly id: string }>()
  const find = ({ id, name }: VolumeClone) => {
    const found = clones.get(name)
    return found?.id === id ? found : undefined
  }
  return {
    create: async ({ id, name }: VolumeClone): Promise<Volume> => {
      const existing = find({ id, name })
      if (existing) return existing.volume
      if (clones.has(name)) throw new VolumeRefusal('exists', `'${name}' exists`)
      const clone = createEmpty()
      copyTree(tree, clone.tree)
      clones.set(name, { ...clone, id })
      return clone.volume
    },
    open: async (clone: VolumeClone): Promise<Volume | undefined> => find(clone)?.volume,
    remove: async (clone: VolumeClone): Promise<void> => {
      const found = find(clone)
      if (!found) return
      const { root } = found.tree
      for (const [name, node] of root.entries) found.tree.remove({ directory: root, name, node })
      clones.delete(clone.name)
    },
  }
}

/** Copies every node to an empty tree. Files share their blocks. */
function copyTree({ root }: FileTree, to: FileTree): void {
  function copy(node: TreeNode, place: Place): void {
    if (node.kind !== 'directory') return void makeCopy(to, node, place)
    const directory = makeCopy(to, node, place, node.qtree)
    if (!directory) return
    for (const [name, entry] of node.entries) copy(entry, { directory, name, node: undefined })
  }
  for (const [name, node] of root.entries) copy(node, { directory: to.root, name, node: undefined })
}
