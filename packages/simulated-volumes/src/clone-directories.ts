import { type CloneDirectoryRequest, type VolumeBackend, VolumeRefusal } from '@trivium/storage-core/ports'
import type { FileTree } from './files/file-tree.ts'
import { makeCopy } from './files/make-copy.ts'
import type { Place } from './files/resolve-path.ts'
import { type DirectoryNode, descendants, type TreeNode, weight } from './files/tree-node.ts'
import { describePassedLimit } from './quotas/describe-passed-limit.ts'
import type { QuotaEnforcement } from './quotas/quota-enforcement.ts'

export interface CloneDirectoriesOptions {
  readonly tree: FileTree
  readonly enforcement: QuotaEnforcement
}

export function cloneDirectories({
  tree,
  enforcement,
}: CloneDirectoriesOptions): Pick<VolumeBackend, 'cloneDirectory' | 'forgetClone'> {
  /** The directory of each clone by the id of its request, until `forgetClone`. */
  const createdClones = new Map<string, DirectoryNode>()

  /** Copies a node, whose growth the quotas of its owner have to allow. */
  function copy(node: TreeNode, place: Place): void {
    const { qtree } = place.directory
    const growth = weight(node)
    const passed = enforcement.exceeded({ user: node.user, group: node.group, qtree }, growth)
    if (passed) throw new VolumeRefusal('quota-exceeded', describePassedLimit(passed))
    const directory = makeCopy(tree, node, place)
    if (directory && node.kind === 'directory') {
      for (const [name, entry] of node.entries) copy(entry, { directory, name, node: undefined })
    }
    enforcement.noticeSoftLimits({ user: node.user, group: node.group, qtree }, growth)
  }

  return {
    cloneDirectory: async (request) => {
      const { id, source, destination, signal } = request
      const place = tree.parent(destination)
      const earlier = createdClones.get(id)
      if (earlier && place.node === earlier) return { identity: String(earlier.inode) }
      const node = tree.place(source, 'inner-links')?.node
      if (!node) throw new VolumeRefusal('not-found', `'${source}' does not exist`)
      if (node.kind !== 'directory') throw new VolumeRefusal('not-a-directory', `'${source}' is not a directory`)
      if (place.node) throw new VolumeRefusal('exists', `'${destination}' exists`)
      const isInside = [node, ...descendants(node)].includes(place.directory)
      if (isInside) throw new VolumeRefusal('failed', 'A directory cannot be cloned into itself')
      checkBounds(node, request)
      signal.throwIfAborted()
      // It has the quotas of its place, but no name in it until it is complete.
      const hidden: DirectoryNode = { ...place.directory, entries: new Map() }
      const draft: Place = { directory: hidden, name: place.name, node: undefined }
      const removeDraft = () => tree.remove({ ...draft, node: hidden.entries.get(draft.name) })
      try {
        copy(node, draft)
      } catch (error) {
        removeDraft()
        throw error
      }
      const clone = hidden.entries.get(draft.name)
      if (clone?.kind !== 'directory') throw new Error('A directory was copied to another kind of node')
      tree.move({ ...draft, node: clone }, place)
      createdClones.set(id, clone)
      return { identity: String(clone.inode) }
    },
    forgetClone: async ({ id }) => {
      createdClones.delete(id)
    },
  }
}

function checkBounds(root: DirectoryNode, { source, maximumEntries, maximumDepth }: CloneDirectoryRequest): void {
  let entries = 0
  let level: readonly DirectoryNode[] = [root]
  for (let depth = 1; level.length > 0; depth += 1) {
    const below = level.flatMap((directory) => [...directory.entries.values()])
    entries += below.length
    if (entries > maximumEntries) {
      throw new VolumeRefusal('too-large', `'${source}' has more than ${maximumEntries} entries`)
    }
    if (below.length > 0 && depth > maximumDepth) {
      throw new VolumeRefusal('too-large', `'${source}' has more than ${maximumDepth} levels of directories`)
    }
    level = below.flatMap((node) => (node.kind === 'directory' ? node : []))
  }
}
