import type { JsonObject } from '../dialects/dialect.ts'

/** Why an upstream gave no complete answer. */
export type ProviderError = ProviderErrorCause & {
  /** Sent to the client. It never contains a credential, an address or a stack. */
  readonly message: string
  /** Whether another attempt, at this or another upstream, can succeed. */
  readonly retryable: boolean
  /** Whether it failed before any part of the answer arrived. */
  readonly beforeFirstByte: boolean
  /** The wait that the upstream requested before the next attempt. */
  readonly retryAfterSeconds?: number
}

/** What failed at the upstream or on the connection to it. */
export type ProviderErrorCause =
  /** The upstream answered with an error, as its response or as an event inside the stream. */
  | {
      readonly type: 'refused'
      /** The upstream's status, or 500 for an error event without one. */
      readonly status: number
      readonly upstreamType?: string
      readonly code?: string
      readonly param?: string
      /** What Anthropic's clients read of `error.details`, such as its `error_code`. Without secrets. */
      readonly details?: JsonObject
    }
  /** The connection could not be made. */
  | { readonly type: 'unreachable' }
  | { readonly type: 'timed-out'; readonly phase: 'connect' | 'first-byte' | 'idle' | 'total' }
  /** The connection ended before the answer did. */
  | { readonly type: 'interrupted' }
  /** The answer does not follow the upstream's protocol. */
  | { readonly type: 'malformed' }
  /** The provider does not support `param` or its value. */
  | {
      readonly type: 'unsupported'
      readonly param: string
      /** As that of `refused`. */
      readonly details?: JsonObject
    }
  /** `context.signal` was aborted. */
  | { readonly type: 'cancelled' }

/** A {@link ProviderError} whose defaults may be absent. */
export type ProviderErrorInit = ProviderErrorCause & {
  readonly message: string
  /** @default by type: everything but `unsupported`, `cancelled` and refusals other than 408, 409, 425, 429 and 5xx */
  readonly retryable?: boolean
  /** @default true */
  readonly beforeFirstByte?: boolean
  readonly retryAfterSeconds?: number | undefined
}

/** The error of a {@link Provider}, as a rejection or thrown by its iterables. Any other error is a fault. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly error: ProviderError

  constructor(init: ProviderErrorInit, options?: ErrorOptions) {
    super(init.message, options)
    this.error = toProviderError(init)
  }

  /** Returns whether `thrown` is a `ProviderFailure`, also of another copy of this package. */
  static is(thrown: unknown): thrown is ProviderFailure {
    return thrown instanceof Error && thrown.name === 'ProviderFailure' && 'error' in thrown
  }
}

/** Adds the defaults: `retryable` by type, and `beforeFirstByte`. */
export function toProviderError({ retryAfterSeconds, ...init }: ProviderErrorInit): ProviderError {
  return {
    retryable: isRetryable(init),
    beforeFirstByte: true,
    ...init,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}

const retryableStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429])

function isRetryable(cause: ProviderErrorCause): boolean {
  if (cause.type === 'refused') return cause.status >= 500 || retryableStatuses.has(cause.status)
  return cause.type !== 'unsupported' && cause.type !== 'cancelled'
}
