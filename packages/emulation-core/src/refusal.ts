/**
 * The rejection of an emulator, the link relay, the console listener or the project files whose message the client
 * gets: a missing program, a path that the host does not allow, a port that is taken. Any other rejection is a fault,
 * whose message the client does not get.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: RefusalReason
  /** The Debian package that has the missing program. */
  readonly debianPackage: string | undefined

  constructor(reason: RefusalReason, message: string, options: RefusalOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.reason = reason
    this.debianPackage = options.debianPackage
  }
}

/** Further properties of a refusal. */
export interface RefusalOptions {
  /** The Debian package that has the missing program. */
  readonly debianPackage?: string
  /** The original error. */
  readonly cause?: unknown
}

/** Why a request was refused. On the wire every reason is a 409, except `not-privileged`, which is a 403. */
export type RefusalReason =
  /** The host's rules forbid it: a program, path or option outside the allow-list. */
  | 'not-allowed'
  /** The process lacks the rights for it, such as those to open a network device. */
  | 'not-privileged'
  /** A program must be installed first; the message names its Debian package. */
  | 'missing-program'
  /** An image or disk that is absent, unreadable or of the wrong format. */
  | 'unusable-image'
  /** This implementation does not support it. */
  | 'unsupported'
  /** A port, a name or a host is taken or unreachable. */
  | 'unavailable'
  /** An attempt failed. The message has an excerpt of the program's log. */
  | 'failed'

/** Whether an error is a `Refusal`, also of another copy of this package. */
export const isRefusal = (error: unknown): error is Refusal => error instanceof Error && error.name === 'Refusal'
