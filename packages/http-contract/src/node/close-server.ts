import type { Server } from 'node:net'
import { type CloseOptions, DEFAULT_GRACE_SECONDS } from '../mount-lifetime.ts'
import { type ConnectionServer, closeIdleConnections } from './close-idle-connections.ts'

/** Options of {@link closeServer}. */
export interface CloseServerOptions extends CloseOptions {
  /**
   * What the server serves: the results of `expressRoutes`, `fetchHandler`, `expressSockets` and `fetchSockets`, and
   * what the host has of its own, such as `{ close: () => webSocketServer.close() }`.
   *
   * @default none
   */
  readonly mounts?: readonly ServerPart[]
}

/** A part of a server that has to be closed with it. */
export interface ServerPart {
  /** Called once. May return a promise, which is waited for up to the grace. */
  close(options: Required<CloseOptions>): unknown
}

/** How long the connections may take to close after they were cut off. */
const CUT_MS = 500

const closing = new WeakMap<Server, Promise<void>>()

/**
 * Stops a Node server: it accepts no more connections, closes those without a request, also those that have sent
 * nothing within 50 ms, closes the mounts, and waits for the running answers. After `graceSeconds` it cuts off the
 * connections that are still open, and resolves. WebSockets that no mount closes stay open. Later calls return the
 * first promise. A Fastify host does not need it.
 *
 * @returns a promise that rejects, after everything is closed, with the first error of a mount
 *
 * @example
 * ```ts
 * import { expressRoutes } from '@trivium/express-adapter'
 * import { createGateway } from '@trivium/gateway-core'
 * import { gatewayRoutes } from '@trivium/gateway-core/http'
 * import { closeServer } from '@trivium/http-contract/node'
 * import { localProvider } from '@trivium/local-provider'
 * import express from 'express'
 *
 * const gateway = createGateway({ providers: [localProvider()] })
 * const mount = expressRoutes(gatewayRoutes(gateway))
 * const server = express().use('/ai', mount).listen(3000, '127.0.0.1')
 * process.once('SIGTERM', async () => {
 *   await closeServer(server, { mounts: [mount] })
 *   await gateway.close()
 * })
 * ```
 */
export function closeServer(server: ConnectionServer, options: CloseServerOptions = {}): Promise<void> {
  const known = closing.get(server)
  if (known) return known
  const closed = close(server, options)
  closing.set(server, closed)
  return closed
}

async function close(
  server: ConnectionServer,
  { mounts = [], graceSeconds = DEFAULT_GRACE_SECONDS }: CloseServerOptions,
): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  closeIdleConnections(server)
  const closeMount = async (mount: ServerPart) => void (await mount.close({ graceSeconds }))
  const settled = Promise.allSettled(mounts.map(closeMount))
  let timer: ReturnType<typeof setTimeout> | undefined
  const cut = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      server.closeAllConnections?.()
      timer = setTimeout(resolve, CUT_MS, undefined)
    }, graceSeconds * 1000)
  })
  const outcomes = await Promise.race([Promise.all([settled, ended]), cut])
  clearTimeout(timer)
  const failed = outcomes?.[0].find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
