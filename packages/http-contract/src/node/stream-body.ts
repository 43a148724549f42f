import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { BodyTooLarge, BodyUnavailable, ClientDisconnected } from '../request-body.ts'
import { inOneChunk } from '../upload.ts'
import { announcedLength, closeAfterLong, discardBody } from './discard-body.ts'
import { consumed, type ReadBodyOptions } from './read-body.ts'

/**
 * Returns a request's body as chunks, which pause the client until they are read. Throws as `readBody` rejects: immediately
 * for an announced length beyond the limit and for a body that was read before, and otherwise while the chunks are read.
 */
export function streamBody(
  request: IncomingMessage,
  response: ServerResponse,
  { limit, source = request }: ReadBodyOptions,
): AsyncIterable<Uint8Array> {
  const announced = announcedLength(request)
  if (announced === 0) return inOneChunk(new Uint8Array())
  if (source.readableDidRead) throw new BodyUnavailable(consumed)
  if (source === request && announced !== undefined && announced > limit) {
    closeAfterLong(announced, response)
    throw new BodyTooLarge(limit)
  }
  return chunksOf(request, source, limit)
}

async function* chunksOf(request: IncomingMessage, source: Readable, limit: number): AsyncGenerator<Uint8Array, void> {
  let size = 0
  let isWhole = false
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      size += chunk.byteLength
      if (size > limit) throw new BodyTooLarge(limit)
      yield chunk
    }
    if (!request.complete) throw new ClientDisconnected()
    isWhole = true
  } catch (error) {
    if (error instanceof BodyTooLarge) throw error
    throw request.complete && !request.socket.destroyed ? error : new ClientDisconnected()
  } finally {
    if (!isWhole) discardBody(request, source)
  }
}
