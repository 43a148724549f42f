import { VolumeRefusal } from '@trivium/storage-core/ports'
import type { DirectoryNode, TreeNode } from './tree-node.ts'

/** The target of a path: the directory, the name in it, and the node of that name if one exists. */
export interface Place {
  readonly directory: DirectoryNode
  readonly name: string
  readonly node: TreeNode | undefined
}

const MAXIMUM_LINKS = 40

/**
 * Resolves a path and its links. A link at the end is followed only with `every-link`.
 *
 * @returns `undefined` when a parent does not exist or is not a directory
 * @throws VolumeRefusal `outside-volume` when the path leads out of the volume, `failed` for more than 40 links
 */
export function resolvePath(
  root: DirectoryNode,
  path: string,
  follow: 'every-link' | 'inner-links',
): Place | undefined {
  const way: DirectoryNode[] = [root]
  let names = path.split('/')
  let links = 0
  while (names.length > 0) {
    const [name = '', ...rest] = names
    const directory = way.at(-1) ?? root
    names = rest
    if (name === '' || name === '.') continue
    if (name === '..') {
      if (way.length === 1) throw outside(path)
      way.pop()
      continue
    }
    const node = directory.entries.get(name)
    if (node?.kind === 'link' && (rest.length > 0 || follow === 'every-link')) {
      links += 1
      if (links > MAXIMUM_LINKS) throw new VolumeRefusal('failed', `'${path}' has more than 40 symbolic links`)
      if (node.target.startsWith('/')) throw outside(path)
      names = [...node.target.split('/'), ...rest]
    } else if (rest.length === 0) return { directory, name, node }
    else if (node?.kind === 'directory') way.push(node)
    else return undefined
  }
  const last = way.at(-1) ?? root
  return { directory: way.at(-2) ?? root, name: '.', node: last }
}

const outside = (path: string) => new VolumeRefusal('outside-volume', `'${path}' leads out of the volume`)
