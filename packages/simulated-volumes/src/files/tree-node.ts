import type { Extent } from '../blocks/block-pool.ts'
import { allocatedBytes } from '../blocks/extent-list.ts'
import type { Owner } from '../quotas/account-keys.ts'
import type { Usage } from '../quotas/quota-accounts.ts'

interface Owned {
  readonly inode: number
  user: string
  group: string
  /** The qtree that contains it, or `undefined` outside qtrees. A qtree's own directory is in that qtree. */
  qtree: string | undefined
}

export interface FileNode extends Owned {
  readonly kind: 'file'
  size: number
  extents: readonly Extent[]
}

export interface DirectoryNode extends Owned {
  readonly kind: 'directory'
  readonly entries: Map<string, TreeNode>
  /** Octal digits read as a decimal number. */
  permissions: number
}

interface LinkNode extends Owned {
  readonly kind: 'link'
  readonly target: string
}

export type TreeNode = FileNode | DirectoryNode | LinkNode

/** Every node below a directory, without the directory itself. */
export function* descendants(directory: DirectoryNode): Generator<TreeNode> {
  for (const node of directory.entries.values()) {
    yield node
    if (node.kind === 'directory') yield* descendants(node)
  }
}

/** A node and everything below it. */
export const subtree = (node: TreeNode): readonly TreeNode[] =>
  node.kind === 'directory' ? [node, ...descendants(node)] : [node]

/** What one node uses of a quota. */
export const weight = (node: TreeNode): Usage => ({
  space: node.kind === 'file' ? allocatedBytes(node.extents) : 0,
  files: 1,
})

/** What a node and everything below it use, for each owner. */
export function ownedBelow(node: TreeNode): Iterable<Usage & { readonly owner: Owner }> {
  const owners = new Map<string, Usage & { readonly owner: Owner }>()
  for (const one of subtree(node)) {
    const key = `${one.user}/${one.group}/${one.qtree ?? ''}`
    const before = owners.get(key) ?? {
      owner: { user: one.user, group: one.group, qtree: one.qtree },
      space: 0,
      files: 0,
    }
    const { space, files } = weight(one)
    owners.set(key, { ...before, space: before.space + space, files: before.files + files })
  }
  return owners.values()
}
