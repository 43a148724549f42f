import type { ProviderContext } from '../providers/provider.ts'
import type { ProviderError } from '../providers/provider-error.ts'

/** The realtime models of an upstream, which speak over a WebSocket. Rejections other than a `ProviderFailure` are faults. */
export interface RealtimeProvider {
  /**
   * Opens a session. Resolves once the upstream has accepted the WebSocket. When `context.signal` aborts, before or later,
   * the session ends immediately.
   */
  open(request: RealtimeSessionRequest, receiver: RealtimeReceiver, context: ProviderContext): Promise<RealtimeUpstream>
}

/** The session that a client requests. */
export interface RealtimeSessionRequest {
  /** The upstream's own model id. */
  readonly model: string
}

/** Receives what an upstream sends. No method is called after `closed`. Calls before `open` resolves are allowed. */
export interface RealtimeReceiver {
  /** Text as a string, binary as bytes. */
  message(message: string | Uint8Array): void
  /** `error` is absent where the upstream closed the session with a closing handshake. */
  closed(code: number, reason: string, error?: ProviderError): void
}

/** An open session of an upstream. */
export interface RealtimeUpstream {
  /** Queues a message. Ignored once closed. */
  send(message: string | Uint8Array): void
  /** Bytes that are queued and not yet sent. */
  readonly bufferedBytes: number
  /** Starts the closing handshake, and cuts the connection off where the upstream does not answer it. */
  close(): void
}
