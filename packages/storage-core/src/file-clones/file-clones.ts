import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { CloneTokenId } from '../clone-tokens/clone-token.ts'
import type { Job } from '../jobs/job.ts'
import type { JobLabel, JobQueue } from '../jobs/jobs.ts'
import type { SplitId } from '../splits/split.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import { type FindVolumeError, findVolume, type NamedVolume } from '../volumes/find-volume.ts'
import { cloneLane } from '../volumes/lanes.ts'
import { type CloneRequestError, checkClonePath, checkCloneRanges } from './check-clone.ts'

/** Why a clone was refused. Later failures are in the job. */
export type FileCloneError =
  | FindVolumeError
  | CloneRequestError
  /** A token is given for a clone that is not to be split. */
  | { readonly type: 'token-without-split'; readonly token: string }

/** Clones of files and directories. */
export interface FileClones {
  /**
   * Starts to clone a file, or a directory with at most 100,000 entries and 100 levels below it. A directory is cloned
   * to a path that does not exist, whole, and without a split. The clone of a file shares the blocks of its source, and nothing is charged, unless its split is asked
   * for with `split` or `token`. Then it is charged to the token or else to the free split load of its node, and is split
   * in the background once it exists. When it cannot be charged or created, the job fails, for example with
   * `clone-failed`.
   */
  create(request: CloneFile, label?: JobLabel): ResultAsync<Job, FileCloneError>
}

/**
 * A clone of a file, of ranges of it, or of a directory, within one volume. The SVM is optional for a volume by id, or by a name that
 * only one SVM uses.
 */
export interface CloneFile extends NamedVolume {
  /** Relative to the volume, at most 4,096 characters, without `..`. */
  readonly source: string
  /** Relative to the volume, at most 4,096 characters, without `..`. Its directory exists. */
  readonly destination: string
  /**
   * At most 2,000 of the form `source:destination:count`, in blocks of 4 KiB, which do not overlap.
   *
   * @default the whole file
   */
  readonly ranges?: readonly string[]
  /** Whether an existing file is replaced. Ranges within one file do not need it. @default false */
  readonly overwrite?: boolean
  /** Whether the clone is split in the background. @default whether there is a token */
  readonly split?: boolean
  /** The UUID of the clone token that the split is charged to. @default the free split load of the node */
  readonly token?: string
  /**
   * The id of the user of the host whose tokens may be charged, 1 to 128 characters. Others count as absent.
   *
   * @default every token
   */
  readonly tokenOwnerId?: string
}

export interface FileClonesOptions {
  readonly repositories: StorageRepositories
  readonly jobs: JobQueue
  readonly newId: () => string
}

export function createFileClones({ repositories, jobs, newId }: FileClonesOptions): FileClones {
  async function create(request: CloneFile, label?: JobLabel): Promise<Result<Job, FileCloneError>> {
    const found = await findVolume(repositories, request)
    if (found.isErr()) return err(found.error)
    const source = checkClonePath(request.source, 'source')
    if (source.isErr()) return err(source.error)
    const destination = checkClonePath(request.destination, 'destination')
    if (destination.isErr()) return err(destination.error)
    const isSameFile = source.value === destination.value
    const hasRanges = request.ranges !== undefined && request.ranges.length > 0
    if (isSameFile && !hasRanges) return err({ type: 'clone-onto-itself', path: source.value } as const)
    const ranges = checkCloneRanges(request.ranges ?? [], isSameFile)
    if (ranges.isErr()) return err(ranges.error)
    const { token, split = token !== undefined } = request
    if (token !== undefined && !split) return err({ type: 'token-without-split', token } as const)
    const { uuid: volume, svm, node } = found.value
    const task = {
      kind: 'clone-file',
      volume,
      split: newId() as SplitId, // ids are opaque texts
      source: source.value,
      destination: destination.value,
      ...(hasRanges && { ranges: ranges.value }),
      overwrite: isSameFile || (request.overwrite ?? false),
      splits: split,
      ...(token !== undefined && { token: token as CloneTokenId }), // an id of a client
      ...(request.tokenOwnerId !== undefined && { tokenOwnerId: request.tokenOwnerId }),
    } as const
    return ok(await jobs.submit({ ...label, task, lane: cloneLane(volume), svm, node }))
  }
  return { create: (request, label) => new ResultAsync(create(request, label)) }
}
