import {
  BLOCK_SIZE,
  type CloneRange,
  type FileIdentity,
  type VolumeBackend,
  VolumeRefusal,
} from '@trivium/storage-core/ports'
import { type BlockPool, type Extent, sharedParts } from './blocks/block-pool.ts'
import { allocatedBytes, slice } from './blocks/extent-list.ts'
import type { FileTree } from './files/file-tree.ts'
import type { Place } from './files/resolve-path.ts'
import type { FileNode } from './files/tree-node.ts'

type CloneMethods = Pick<VolumeBackend, 'cloneFile' | 'forgetClone' | 'fileBlocks' | 'unshare'>

export function cloneFiles({ tree, pool }: { readonly tree: FileTree; readonly pool: BlockPool }): CloneMethods {
  const findFile = ({ path, identity }: FileIdentity): FileNode | undefined => {
    const node = tree.place(path, 'inner-links')?.node
    return node?.kind === 'file' && String(node.inode) === identity ? node : undefined
  }
  const destinationAt = (path: string, overwrite: boolean): Place => {
    const place = tree.parent(path)
    if (!place.node) return place
    if (place.node.kind !== 'file') throw new VolumeRefusal('not-a-file', `'${path}' is not a file`)
    if (!overwrite) throw new VolumeRefusal('exists', `'${path}' exists`)
    return place
  }
  /** The file of each clone by the id of its request, until `forgetClone`. */
  const createdClones = new Map<string, FileIdentity>()
  return {
    cloneFile: async ({ id, source: sourcePath, destination, ranges, overwrite }) => {
      const known = createdClones.get(id)
      const before = known && findFile(known)
      if (known && before) return { identity: known.identity, size: before.size }
      const source = tree.place(sourcePath)?.node
      if (!source) throw new VolumeRefusal('not-found', `'${sourcePath}' does not exist`)
      if (source.kind !== 'file') throw new VolumeRefusal('not-a-file', `'${sourcePath}' is not a file`)
      if (ranges?.some(({ sourceOffset, length }) => sourceOffset + length > source.size)) {
        throw new VolumeRefusal('not-found', `A range extends past the end of '${sourcePath}'`)
      }
      const place = destinationAt(destination, overwrite)
      const extents = (ranges ?? [whole(source)]).flatMap((range) => rangeExtents(source, range))
      const kept = place.node?.kind === 'file' ? place.node : undefined
      const file = kept ?? tree.makeFile(place, source)
      const end = ranges ? Math.max(...ranges.map((range) => range.destinationOffset + range.length)) : source.size
      if (ranges) for (const range of ranges) tree.punch(file, range.destinationOffset, wholeBlocks(range.length))
      else if (file !== source) tree.truncate(file, 0)
      tree.write(file, extents, ranges ? Math.max(file.size, end) : end)
      const identity = String(file.inode)
      createdClones.set(id, { path: destination, identity })
      return { identity, size: file.size }
    },
    forgetClone: async ({ id }) => {
      createdClones.delete(id)
    },
    fileBlocks: async (identity) => {
      const file = findFile(identity)
      if (!file) return undefined
      const shared = file.extents.flatMap(sharedParts).reduce((total, { length }) => total + length, 0)
      return { shared, unique: allocatedBytes(file.extents) - shared }
    },
    unshare: async (identity, { position, maximum, signal }) => {
      const file = findFile(identity)
      if (!file) return undefined
      let unshared = 0
      let reached = position
      for (const part of file.extents.flatMap(sharedParts)) {
        const start = Math.max(part.offset, position)
        const length = Math.min(part.offset + part.length - start, maximum - unshared)
        if (length <= 0) continue
        if (unshared === maximum || signal.aborted) return { position: reached, unshared, done: false }
        if (pool.used() + length > pool.size) {
          if (unshared > 0) return { position: reached, unshared, done: false }
          throw new VolumeRefusal('no-space', 'The volume is full')
        }
        tree.write(file, copies(pool, file, start, length), file.size)
        unshared += length
        reached = start + length
      }
      const rest = file.extents.flatMap(sharedParts).some(({ offset, length }) => offset + length > reached)
      return { position: reached, unshared, done: !rest }
    },
  }
}

const whole = ({ size }: FileNode): CloneRange => ({ sourceOffset: 0, destinationOffset: 0, length: Math.max(size, 1) })

const wholeBlocks = (length: number): number => Math.ceil(length / BLOCK_SIZE) * BLOCK_SIZE

/** The extents of a range of the source, moved to their offsets in the destination. */
function rangeExtents(
  { extents }: FileNode,
  { sourceOffset, destinationOffset, length }: CloneRange,
): readonly Extent[] {
  const end = sourceOffset + wholeBlocks(length)
  return extents.flatMap((extent) => {
    const part = slice(extent, sourceOffset, end)
    return part ? [{ ...part, offset: part.offset - sourceOffset + destinationOffset }] : []
  })
}

/** Extents of newly allocated blocks with the same contents. */
function copies(pool: BlockPool, { extents }: FileNode, offset: number, length: number): readonly Extent[] {
  return extents.flatMap((extent) => {
    const part = slice(extent, offset, offset + length)
    if (!part) return []
    const { data, dataOffset } = part.allocation
    const allocation = pool.allocate({ data, dataOffset: dataOffset + part.from })
    return [{ offset: part.offset, length: part.length, allocation, from: 0 }]
  })
}
