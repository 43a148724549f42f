import type { UnsupportedLimit } from './volume-backend.ts'

/**
 * What volume backends reject with where the client may be told why. The message is a sentence for that client; any other
 * rejection is a fault, and its words stay inside.
 */
export class VolumeRefusal extends Error {
  override readonly name = 'VolumeRefusal'
  readonly reason: VolumeRefusalReason
  /** With reason `unsupported` of limits: which ones. */
  readonly limits: readonly UnsupportedLimit[]

  constructor(reason: VolumeRefusalReason, message: string, options: VolumeRefusalOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.reason = reason
    this.limits = options.limits ?? []
  }
}

/** What a refusal says beside its reason: the limits that the volume cannot enforce, and what was thrown. */
export interface VolumeRefusalOptions {
  readonly limits?: readonly UnsupportedLimit[]
  readonly cause?: unknown
}

/** Why a volume refused. Each reason has its own error on the wire. */
export type VolumeRefusalReason =
  /** The file system can't do it at all. */
  | 'unsupported'
  | 'not-found'
  | 'exists'
  | 'not-a-file'
  /** A symbolic link leads out of the volume. */
  | 'outside-volume'
  | 'no-space'
  | 'quota-exceeded'
  /** No user or group has that name. */
  | 'unknown-principal'
  /** The message names the Debian package. */
  | 'missing-program'
  /** The message says which right or mount option is missing. */
  | 'not-permitted'
  /** It was tried and failed; the message has what the program said. */
  | 'failed'

/** Also true for a refusal from another copy of this package. */
export const isVolumeRefusal = (error: unknown): error is VolumeRefusal =>
  error instanceof Error && error.name === 'VolumeRefusal'
