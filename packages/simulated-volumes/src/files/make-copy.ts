import type { FileTree } from './file-tree.ts'
import type { Place } from './resolve-path.ts'
import type { DirectoryNode, TreeNode } from './tree-node.ts'

/**
 * Makes a copy of a node. A file shares its blocks with the original. A directory has no entries yet.
 *
 * @param qtree the name of the qtree that a directory belongs to. @default that of its place
 * @returns the directory, or `undefined` for other nodes
 */
export function makeCopy(tree: FileTree, node: TreeNode, place: Place, qtree?: string): DirectoryNode | undefined {
  const owner = { user: node.user, group: node.group }
  if (node.kind === 'link') tree.makeLink(place, node.target)
  else if (node.kind === 'file') {
    const extents = node.extents.map((extent) => ({ ...extent }))
    tree.write(tree.makeFile(place, owner), extents, node.size)
  } else {
    const directory = tree.makeDirectory(place, owner, qtree)
    directory.permissions = node.permissions
    return directory
  }
  return undefined
}
