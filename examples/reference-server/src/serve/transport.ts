import type { RequestListener, Server } from 'node:http'
import type { Route, SocketRoute } from '@trivium/http-contract'

/** What the server serves, whatever the transport. */
export interface Mounted {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
}

/** Makes the Node server, with TLS and the loopback guard, that a transport answers on. */
export type CreateServer = (listener: RequestListener) => Server

/** One framework, not listening yet. */
export interface Prepared {
  readonly server: Server
  /** Ends what the framework keeps, once the server has no requests any more. */
  close(): Promise<void>
}

export type Transport = (mounted: Mounted, createServer: CreateServer) => Promise<Prepared>
