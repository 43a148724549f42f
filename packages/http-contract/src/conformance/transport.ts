import type { Route } from '../route.ts'
import type { SocketRoute } from '../socket.ts'

/** What a host has to mount for the suite. */
export interface TransportMount {
  /** Goes before every path of the routes and the sockets. */
  readonly prefix: string
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
}

/** A host that listens on 127.0.0.1. */
export interface ServedTransport {
  readonly port: number
  readonly close: () => Promise<unknown>
}

/** A part of the suite that depends on more than the adapter. */
export type Exception = 'queued-request-abort' | 'undecodable-path' | 'get-body'

/** A transport under test, and hosts that use it. */
export interface Transport {
  readonly name: string
  /** Parts of the suite that a host can't pass, each with the reason why that is not the adapter's doing. */
  readonly except?: Readonly<Partial<Record<Exception, string>>>
  /**
   * Starts a host that serves the mount, beside a route of its own: `GET /host` answers `host`. What the routes don't
   * take it answers with 404.
   */
  readonly serve: (mount: TransportMount) => Promise<ServedTransport>
  /** The same host with its compression middleware in front of everything; without one it is not tested. */
  readonly serveCompressed?: (mount: TransportMount) => Promise<ServedTransport>
}
