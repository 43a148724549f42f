import type { Emit } from '../events/create-events.ts'
import type { JobProgress } from '../jobs/job.ts'
import type { JobEnd } from '../jobs/job-repository.ts'
import type { JobContext } from '../jobs/job-runner.ts'
import type { CloneFileTask } from '../jobs/job-task.ts'
import { failure, refusalToFailure, success } from '../quotas/quota-tasks.ts'
import { ownsToken } from '../splits/owns-token.ts'
import type { Split } from '../splits/split.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { StoreFailure } from '../store-failure.ts'
import type { Volume } from '../volumes/volume.ts'
import { BLOCK_SIZE, type CloneRange, type VolumeBackend } from '../volumes/volume-backend.ts'
import { MAXIMUM_DEPTH, MAXIMUM_ENTRIES } from './check-clone.ts'

export interface CloneFileOptions {
  readonly repositories: StorageRepositories
  readonly volume: Volume
  readonly backend: VolumeBackend
  readonly context: Pick<JobContext, 'signal' | 'reached' | 'record'>
  readonly now: () => Date
  readonly emit: Emit
}

/** The steps that the job records. */
const chargedProgress = { done: 0, total: 1 } as const satisfies JobProgress
const clonedProgress = { done: 1, total: 1 } as const satisfies JobProgress

/**
 * Creates a clone. Where it is to be split, charges it before and passes it to the split workers. Repeatable: the charge and the clone have the id of
 * the split, so what an earlier try has done is not done again.
 */
export async function cloneFile(options: CloneFileOptions, task: CloneFileTask): Promise<JobEnd> {
  const { repositories, volume, backend, context, now, emit } = options
  const { splits } = repositories
  const { uuid, name, svm, node } = volume

  const clone = async (): Promise<JobEnd> => {
    const { source: from, destination, overwrite } = task
    const cloneReference = { id: task.split, destination }
    const storedSplit = await splits.find(task.split)
    // An open or finished split shows that only the end of the job was not recorded.
    if (storedSplit?.identity !== undefined || (context.reached()?.done === clonedProgress.done && !storedSplit)) {
      await backend.forgetClone(cloneReference)
      return success
    }
    const source = await backend.file(from)
    if (!source) return failure('clone-source-not-found', `The file "${from}" does not exist.`)
    if (source.kind === 'directory') return cloneDirectory()
    if (source.kind !== 'file') return failure('clone-failed', `"${from}" is neither a file nor a directory.`)
    const ranges = task.ranges && clipRanges(task.ranges, source.size)
    if (task.ranges && !ranges) return failure('clone-range-invalid', `A range extends past the end of "${from}".`)
    const size = ranges?.reduce((total, { length }) => total + length, 0) ?? source.size
    const split: Split = {
      uuid: task.split,
      svm,
      volume: { uuid, name },
      node,
      path: destination,
      size,
      remaining: size,
      position: 0,
      ...(task.token !== undefined && { token: task.token }),
      startedAt: now(),
      state: 'waiting',
    }
    const isShared = task.splits === false || size === 0
    const refusal = isShared ? undefined : await charge(split, storedSplit !== undefined)
    if (refusal) return refusal
    // A process that has lost the job must not overwrite the result of another.
    await context.record(chargedProgress)
    const { identity } = await backend.cloneFile({
      ...cloneReference,
      source: from,
      ...(ranges && { ranges }),
      overwrite,
    })
    await context.record(clonedProgress)
    // An earlier try may have charged a source that is empty now.
    if (await splits.open(task.split, identity)) emit('split.requested', { ...split, identity })
    await backend.forgetClone(cloneReference)
    return success
  }

  /** Its files stay shared, since a split is of one file. */
  async function cloneDirectory(): Promise<JobEnd> {
    const { source, destination, split: id } = task
    if (task.splits !== false) {
      const message = `"${source}" is a directory, which cannot be split: clone it without "split" and "token_uuid", and split its files.`
      return failure('clone-failed', message)
    }
    if (task.ranges) return failure('clone-range-invalid', `"${source}" is a directory, which has no ranges.`)
    const bounds = { maximumEntries: MAXIMUM_ENTRIES, maximumDepth: MAXIMUM_DEPTH }
    await backend.cloneDirectory({ id, source, destination, ...bounds, signal: context.signal })
    await context.record(clonedProgress)
    await backend.forgetClone({ id, destination })
    return success
  }

  async function charge(split: Split, isCharged: boolean): Promise<JobEnd | undefined> {
    const mayCharge = isCharged || (await ownsToken(repositories, split, task.tokenOwnerId, now()))
    switch (mayCharge ? await splits.begin(split, now()) : 'token-not-found') {
      case 'begun':
        if (split.token !== undefined) emit('clone-token.consumed', { token: split.token, size: split.size })
        return undefined
      case 'taken': // Only a split with an identity is.
      case 'over-load':
        return failure('clone-failed', `Node "${node.name}" is at its maximum split load (EBUSY).`)
      case 'token-not-found':
        return failure('clone-failed', `There is no clone token "${split.token}" on node "${node.name}".`)
      case 'token-too-small':
        return failure('clone-failed', `Clone token "${split.token}" has less than ${split.size} bytes left (EBUSY).`)
    }
  }

  /** Cancels the charge. `record` rejects when another process has taken over the job and its charge. */
  async function cancelCharge(): Promise<void> {
    await context.record(chargedProgress)
    await splits.cancel(task.split, now())
  }

  const end = await refusalToFailure('clone-failed', clone()).catch(async (error: unknown) => {
    // The next try, here or in another process, continues with the charge.
    if (!context.signal.aborted && !StoreFailure.is(error)) await cancelCharge()
    throw error
  })
  if (end.state === 'failure') await cancelCharge()
  return end
}

/** Shortens ranges to the end of the file. @returns `undefined` when a range extends past its last block */
function clipRanges(ranges: readonly CloneRange[], size: number): readonly CloneRange[] | undefined {
  const end = Math.ceil(size / BLOCK_SIZE) * BLOCK_SIZE
  if (ranges.some(({ sourceOffset, length }) => sourceOffset + length > end)) return undefined
  return ranges.map((range) => ({ ...range, length: Math.min(range.length, size - range.sourceOffset) }))
}
