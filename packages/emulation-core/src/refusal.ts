/**
 * What emulators, the link relay and the project files reject with where the client may be told why: no program, a path
 * that the host does not allow, a port that is taken. Any other rejection is a fault, and its words stay inside.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: RefusalReason
  /** The Debian package that would help. */
  readonly debianPackage: string | undefined

  constructor(reason: RefusalReason, message: string, options: RefusalOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.reason = reason
    this.debianPackage = options.debianPackage
  }
}

/** What a refusal says beside its reason: the Debian package that has a missing program, and what was thrown. */
export interface RefusalOptions {
  readonly debianPackage?: string
  readonly cause?: unknown
}

/** Why a port refused. Each reason has its own status on the wire. */
export type RefusalReason =
  /** The host's rules forbid it: a program, path or option outside the allow-list. */
  | 'not-allowed'
  /** A program must be installed first; the message names its Debian package. */
  | 'missing-program'
  /** An image or disk that is absent, unreadable or of the wrong format. */
  | 'unusable-image'
  /** This implementation can't do it at all. */
  | 'unsupported'
  /** Something that is needed is taken or unreachable: a port, a name, a host. */
  | 'unavailable'
  /** It was tried and failed; the message has an excerpt of the program's log. */
  | 'failed'

/** Also true for a refusal from another copy of this package. */
export const isRefusal = (error: unknown): error is Refusal => error instanceof Error && error.name === 'Refusal'
