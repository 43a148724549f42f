import type { UnsupportedLimit } from './volume-backend.ts'

/**
 * The rejection of a volume backend whose reason the client may see. The message is a sentence for the client. Any
 * other rejection is a fault, whose message is not sent.
 *
 * @example
 * ```ts
 * import { simulatedVolume } from '@trivium/simulated-volumes'
 * import { type VolumeBackend, VolumeRefusal } from '@trivium/storage-core/ports'
 *
 * const volume = simulatedVolume()
 * const withoutClones: VolumeBackend = {
 *   ...volume,
 *   capabilities: async () => ({ ...(await volume.capabilities()), clones: false }),
 *   cloneFile: async () => {
 *     throw new VolumeRefusal('unsupported', 'This volume cannot clone files')
 *   },
 * }
 * ```
 */
export class VolumeRefusal extends Error {
  override readonly name = 'VolumeRefusal'
  readonly reason: VolumeRefusalReason
  /** The unsupported limits when the reason is `unsupported`. */
  readonly limits: readonly UnsupportedLimit[]

  constructor(reason: VolumeRefusalReason, message: string, options: VolumeRefusalOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.reason = reason
    this.limits = options.limits ?? []
  }
}

/** The details of a refusal: the limits that the volume cannot enforce, and the error that caused it. */
export interface VolumeRefusalOptions {
  readonly limits?: readonly UnsupportedLimit[]
  readonly cause?: unknown
}

/** The reason of a refusal. */
export type VolumeRefusalReason =
  /** The file system does not support the operation. */
  | 'unsupported'
  | 'not-found'
  | 'exists'
  | 'not-a-file'
  | 'not-a-directory'
  /** More than the bounds of the request. */
  | 'too-large'
  /** A symbolic link leads out of the volume. */
  | 'outside-volume'
  | 'no-space'
  | 'quota-exceeded'
  /** No user or group has that name. */
  | 'unknown-principal'
  /** The message names the Debian package. */
  | 'missing-program'
  /** The message names the missing right or mount option. */
  | 'not-permitted'
  /** The operation failed. The message contains the output of the program. */
  | 'failed'

/** Whether an error is a `VolumeRefusal`, even of another copy of this package. */
export const isVolumeRefusal = (error: unknown): error is VolumeRefusal =>
  error instanceof Error && error.name === 'VolumeRefusal'
