import type { RequestListener, Server } from 'node:http'
import type { Route, SocketRoute } from '@trivium/http-contract'
import type { AttachSocketsOptions, ServerPart } from '@trivium/http-contract/node'
import type { TrustedProxies } from '../access/trusted-proxies.ts'

/** The routes of the server, the same for every transport. */
export interface MountedRoutes {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
}

/** Creates the Node server of a transport, with TLS and the check of `Host` and `Origin` on loopback. */
export type CreateServer = (listener: RequestListener) => Server

/** What every transport has in common. */
export interface TransportOptions {
  readonly createServer: CreateServer
  readonly proxies: TrustedProxies
  /** Answers requests without a route. @default with 404 */
  readonly unrouted?: RequestListener | undefined
  /** Options of the sockets. */
  readonly sockets: Pick<AttachSocketsOptions, 'remoteAddress' | 'isFromProxy' | 'refusalHeaders'>
}

/** The server of one framework. It does not listen yet. */
export interface PreparedServer {
  readonly server: Server
  /** What has to be closed with the server. */
  readonly mounts: readonly ServerPart[]
}

export type Transport = (mounted: MountedRoutes, hosting: TransportOptions) => Promise<PreparedServer>
