import { BLOCK_SIZE, VolumeRefusal } from '@trivium/storage-core/ports'
import type { BlockPool, Extent } from '../blocks/block-pool.ts'
import { describePassedLimit } from '../quotas/describe-passed-limit.ts'
import type { QuotaEnforcement } from '../quotas/quota-enforcement.ts'
import type { FileTree } from './file-tree.ts'
import type { FileNode } from './tree-node.ts'

export interface WriteBytesOptions {
  readonly pool: BlockPool
  readonly tree: FileTree
  readonly enforcement: QuotaEnforcement
}

/**
 * Allocates whole new blocks for a range of a file, as a copy-on-write file system does.
 *
 * @throws VolumeRefusal `quota-exceeded` or `no-space`, with nothing written
 */
export function writeBytes(
  { pool, tree, enforcement }: WriteBytesOptions,
  file: FileNode,
  offset: number,
  length: number,
): void {
  if (length === 0) return
  const start = offset - (offset % BLOCK_SIZE)
  const end = Math.ceil((offset + length) / BLOCK_SIZE) * BLOCK_SIZE
  const growth = { space: end - start - covered(file.extents, start, end), files: 0 }
  const passed = enforcement.exceeded(file, growth)
  if (passed) throw new VolumeRefusal('quota-exceeded', describePassedLimit(passed))
  if (pool.used() + end - start > pool.size) throw new VolumeRefusal('no-space', 'The volume is full')
  const extent: Extent = { offset: start, length: end - start, allocation: pool.allocate(), from: 0 }
  tree.write(file, [extent], Math.max(file.size, offset + length))
  enforcement.noticeSoftLimits(file, growth)
}

function covered(extents: readonly Extent[], start: number, end: number): number {
  return extents.reduce((total, { offset, length }) => {
    return total + Math.max(0, Math.min(end, offset + length) - Math.max(start, offset))
  }, 0)
}
