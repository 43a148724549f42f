import type { RequestListener, Server } from 'node:http'
import type { Route, SocketRoute } from '@trivium/http-contract'
import type { AttachSocketsOptions } from '@trivium/http-contract/node'
import type { TrustedProxies } from '../access/trusted-proxies.ts'

/** What the server serves, whatever the transport. */
export interface Mounted {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
}

/** Makes the Node server, with TLS and the loopback guard, that a transport answers on. */
export type CreateServer = (listener: RequestListener) => Server

/** What every transport does alike. */
export interface Hosting {
  readonly createServer: CreateServer
  readonly proxies: TrustedProxies
  /** Options of the sockets. */
  readonly sockets: Pick<AttachSocketsOptions, 'remoteAddress' | 'refusalHeaders'>
}

/** One framework, not listening yet. */
export interface Prepared {
  readonly server: Server
  /** Ends what the framework keeps, once the server has no requests any more. */
  close(): Promise<void>
}

export type Transport = (mounted: Mounted, hosting: Hosting) => Promise<Prepared>
