import { err, ok, type Result } from 'neverthrow'
import type { CloneTokenId } from '../clone-tokens/clone-token.ts'
import type { Emit } from '../events/create-events.ts'
import { type FindFileError, findFile } from '../files/find-file.ts'
import type { StorageRepositories } from '../storage-repositories.ts'
import type { AttachedVolumes } from '../volumes/attached-volumes.ts'
import { type FindVolumeError, findVolume, type NamedVolume } from '../volumes/find-volume.ts'
import { ownsToken } from './owns-token.ts'
import type { Split, SplitId } from './split.ts'

/** Why the split of a file is refused. Sizes are in bytes. */
export type RequestSplitError =
  | FindVolumeError
  | FindFileError
  | { readonly type: 'split-of-no-file'; readonly path: string }
  /** The file is being split already. */
  | { readonly type: 'split-exists'; readonly path: string }
  /** The node is at its maximum split load. */
  | { readonly type: 'split-over-load'; readonly node: string; readonly size: number }
  | { readonly type: 'split-token-not-found'; readonly node: string; readonly token: string }
  | { readonly type: 'split-token-too-small'; readonly token: string; readonly size: number }

/**
 * A file that gets blocks of its own. The SVM is optional for a volume by id, or by a name that only one SVM uses.
 */
export interface RequestSplit extends NamedVolume {
  /** Relative to the volume, at most 4,096 characters, without `..`. */
  readonly path: string
  /** The UUID of the clone token that is charged. @default the free split load of the node */
  readonly token?: string
  /**
   * The id of the user of the host whose tokens may be charged, 1 to 128 characters. Others count as absent.
   *
   * @default every token
   */
  readonly tokenOwnerId?: string
}

export interface RequestSplitOptions {
  readonly repositories: StorageRepositories
  readonly attached: AttachedVolumes
  readonly newId: () => string
  readonly now: () => Date
  readonly emit: Emit
}

/** Charges the shared bytes of a file, and lets workers split it. Returns `undefined` where it shares none. */
export async function requestSplit(
  { repositories, attached, newId, now, emit }: RequestSplitOptions,
  request: RequestSplit,
): Promise<Result<Split | undefined, RequestSplitError>> {
  const volume = await findVolume(repositories, request)
  if (volume.isErr()) return err(volume.error)
  const file = await findFile(attached, volume.value, request.path)
  if (file.isErr()) return err(file.error)
  const { path, identity, blocks } = file.value
  if (!blocks) return err({ type: 'split-of-no-file', path } as const)
  const { uuid, name, svm, node } = volume.value
  if (blocks.shared === 0) {
    const isSplitting = await repositories.splits.findByFile(uuid, identity)
    return isSplitting ? err({ type: 'split-exists', path } as const) : ok(undefined)
  }
  const token = request.token as CloneTokenId | undefined // an id of a client
  const size = blocks.shared
  const split: Split = {
    uuid: newId() as SplitId, // ids are opaque texts
    svm,
    volume: { uuid, name },
    node,
    path,
    identity,
    size,
    remaining: size,
    position: 0,
    ...(token !== undefined && { token }),
    startedAt: now(),
    state: 'waiting',
  }
  const mayCharge = await ownsToken(repositories, split, request.tokenOwnerId, now())
  switch (mayCharge ? await repositories.splits.begin(split, now()) : 'token-not-found') {
    case 'begun':
      if (token !== undefined) emit('clone-token.consumed', { token, size })
      emit('split.requested', split)
      return ok(split)
    case 'taken':
      return err({ type: 'split-exists', path } as const)
    case 'over-load':
      return err({ type: 'split-over-load', node: node.name, size } as const)
    case 'token-not-found':
      return err({ type: 'split-token-not-found', node: node.name, token: token ?? '' } as const)
    case 'token-too-small':
      return err({ type: 'split-token-too-small', token: token ?? '', size } as const)
  }
}
