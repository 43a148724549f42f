import type { ServerResponse } from 'node:http'

/**
 * How a chunk is pushed through a compression middleware, which would keep it until its buffer is full.
 * Such a middleware adds `flush` to the response itself; the prototype's own, where there still is one, is another thing.
 */
export function flusherOf(response: ServerResponse): (() => void) | undefined {
  if (!Object.hasOwn(response, 'flush') || !('flush' in response)) return undefined
  const { flush } = response
  return typeof flush === 'function' ? () => void flush.call(response) : undefined
}

/** Sends the headers soon, should no chunk have taken them along by then. */
export function flushHeadersSoon(response: ServerResponse, begun: () => boolean): void {
  setImmediate(() => {
    if (!begun() && !response.destroyed) response.flushHeaders()
  })
}
