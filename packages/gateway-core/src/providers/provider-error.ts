/** Why an upstream gave no answer, or no complete one. */
export type ProviderError = ProviderErrorCause & {
  /** For the client to read: never a credential, an address or a stack. */
  readonly message: string
  /** Whether another attempt, here or elsewhere, can do better. */
  readonly retryable: boolean
  /** Whether nothing of the answer had come when it failed. */
  readonly beforeFirstByte: boolean
  /** How long the upstream asked to be left alone. */
  readonly retryAfterSeconds?: number
}

/** What went wrong at the upstream, or on the way to it. */
export type ProviderErrorCause =
  /** The upstream answered with an error: before the answer, or as an event inside the stream. */
  | {
      readonly type: 'refused'
      /** The upstream's status; 500 for an error event that tells none. */
      readonly status: number
      readonly upstreamType?: string
      readonly code?: string
      readonly param?: string
    }
  /** No connection. */
  | { readonly type: 'unreachable' }
  | { readonly type: 'timed-out'; readonly phase: 'connect' | 'first-byte' | 'idle' | 'total' }
  /** The connection ended before the answer did. */
  | { readonly type: 'interrupted' }
  /** The answer is not what the upstream's protocol says. */
  | { readonly type: 'malformed' }
  /** The provider can't do what `param` asks for. */
  | { readonly type: 'unsupported'; readonly param: string }
  /** `context.signal` was aborted. */
  | { readonly type: 'cancelled' }

/** A {@link ProviderError} before its defaults. */
export type ProviderErrorInit = ProviderErrorCause & {
  readonly message: string
  /** @default by type: everything but `unsupported`, `cancelled` and refusals other than 408, 409, 425, 429 and 5xx */
  readonly retryable?: boolean
  /** @default true */
  readonly beforeFirstByte?: boolean
  readonly retryAfterSeconds?: number | undefined
}

/** What a {@link Provider} rejects with and what its iterables throw. Anything else that it throws is a fault. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly error: ProviderError

  constructor(init: ProviderErrorInit, options?: ErrorOptions) {
    super(init.message, options)
    this.error = toProviderError(init)
  }

  /** Whether `thrown` is one, whichever copy of this package made it. */
  static is(thrown: unknown): thrown is ProviderFailure {
    return thrown instanceof Error && thrown.name === 'ProviderFailure' && 'error' in thrown
  }
}

/** Completes what is known of a failure: whether it may pass when asked again, and that nothing was sent yet. */
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
