import type { Server } from 'node:net'
import { type CloseOptions, DEFAULT_GRACE_SECONDS } from '@trivium/http-contract'
import { closeIdleConnections, trackConnections } from '@trivium/http-contract/node'
import type { FastifyInstance } from 'fastify'
import { serversOf } from './servers-of.ts'

/** What ends when Fastify closes: the routes or the sockets of one registration. */
export interface Ending extends CloseOptions {
  /** Begins to end it, and resolves when it has ended. Later calls return the first promise. */
  close(options: CloseOptions): Promise<void>
}

/** What is registered on each server. */
const registered = new WeakMap<Server, Set<Ending>>()

/**
 * Adds what is to end when Fastify closes, and returns a function for its `preClose` hook, which resolves when it has
 * ended. Fastify runs these hooks one after the other: the first begins to end everything on the server, and closes the
 * connections that wait for their client.
 */
export function endTogether(fastify: FastifyInstance, ending: Ending): () => Promise<void> {
  const { server, initialConfig } = fastify
  const endings = registered.get(server) ?? new Set()
  registered.set(server, endings.add(ending))
  trackConnections(server)
  fastify.addHook('onListen', (done) => {
    serversOf(fastify).forEach(trackConnections)
    done()
  })
  const close = (each: Ending) => each.close({ graceSeconds: boundedGrace(each, initialConfig) })
  return () => {
    if (endings.has(ending)) {
      const begun = [...endings]
      endings.clear()
      for (const each of begun) void close(each)
      closeConnections(fastify, begun)
    }
    return close(ending)
  }
}

function closeConnections(fastify: FastifyInstance, endings: readonly Ending[]): void {
  const graces = endings.map(({ graceSeconds }) => graceSeconds).filter((grace) => grace !== undefined)
  const longest = graces.length > 0 ? { graceSeconds: Math.max(...graces) } : {}
  const graceSeconds = boundedGrace(longest, fastify.initialConfig)
  for (const server of serversOf(fastify)) {
    if (server.listening) closeIdleConnections(server, { connections: trackConnections(server), graceSeconds })
  }
}

/** How long before Fastify's timeout a hook that waits has ended. */
const SPARE_SECONDS = 0.5

/** Fastify fails to close where a `preClose` hook takes longer than `pluginTimeout`. */
function boundedGrace(
  { graceSeconds = DEFAULT_GRACE_SECONDS }: CloseOptions,
  { forceCloseConnections, pluginTimeout = 10_000 }: FastifyInstance['initialConfig'],
): number {
  const timeoutSeconds = pluginTimeout / 1000
  if (forceCloseConnections !== true || timeoutSeconds <= 0) return graceSeconds
  return Math.min(graceSeconds, Math.max(timeoutSeconds - SPARE_SECONDS, timeoutSeconds / 2))
}
