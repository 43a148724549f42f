import type { ServerResponse } from 'node:http'

/**
 * Returns a function that flushes a compression middleware, which otherwise keeps a chunk until its buffer is full;
 * `undefined` without one. Such a middleware adds `flush` to the response itself; a `flush` of the prototype is not
 * meant.
 */
export function flusherOf(response: ServerResponse): (() => void) | undefined {
  if (!Object.hasOwn(response, 'flush') || !('flush' in response)) return undefined
  const { flush } = response
  return typeof flush === 'function' ? () => void flush.call(response) : undefined
}

/** Sends the headers in the next turn of the event loop, unless a chunk has been written by then. */
export function flushHeadersSoon(response: ServerResponse, begun: () => boolean): void {
  setImmediate(() => {
    if (!begun() && !response.destroyed) response.flushHeaders()
  })
}
