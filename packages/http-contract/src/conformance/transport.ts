import type { Route } from '../route.ts'
import type { SocketRoute } from '../socket.ts'

/** The routes and options that a transport mounts for the suite. */
export interface TransportMount {
  /** The prefix of every path of the routes and the sockets. */
  readonly prefix: string
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
}

/** A host that listens on 127.0.0.1. */
export interface ServedTransport {
  readonly port: number
  readonly close: () => Promise<unknown>
}

/** A part of the suite that depends on the host, not only on the adapter. */
export type SkippedPart = 'queued-request-abort' | 'undecodable-path' | 'get-body'

/** A transport under test, and hosts that use it. */
export interface Transport {
  /** Precedes `as a transport` in the title of the suite. */
  readonly name: string
  /**
   * Parts of the suite that a host cannot pass, each with the reason why the adapter is not the cause.
   *
   * @default none
   */
  readonly except?: Readonly<Partial<Record<SkippedPart, string>>>
  /**
   * Starts a host that serves the mount and a route of its own: `GET /host` answers `host`. It answers other requests
   * with 404.
   */
  readonly serve: (mount: TransportMount) => Promise<ServedTransport>
  /** Starts the same host with its compression middleware before all routes. @default compression is not tested */
  readonly serveCompressed?: (mount: TransportMount) => Promise<ServedTransport>
}
