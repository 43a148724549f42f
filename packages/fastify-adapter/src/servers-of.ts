import { Server } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Returns the servers of an instance that listens. For `localhost`, the default, Fastify has one for each address of
 * the name, and closes them without waiting for their connections.
 */
export function serversOf(fastify: FastifyInstance): Server[] {
  return [fastify.server, ...othersOf(fastify)]
}

/** Fastify has no public name for the servers besides the first. */
function othersOf(instance: object): Server[] {
  for (let at: object | null = instance; at !== null; at = Object.getPrototypeOf(at)) {
    const symbol = Object.getOwnPropertySymbols(at).find(({ description }) => description === 'fastify.serverBindings')
    const found: unknown = symbol && Reflect.get(at, symbol)
    if (Array.isArray(found)) return found.filter((each) => each instanceof Server)
  }
  return []
}
