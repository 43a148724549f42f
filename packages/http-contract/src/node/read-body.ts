import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { ByteCollector } from '../byte-collector.ts'
import {
  type BodyAdvice,
  BodyTooLarge,
  BodyUnavailable,
  ClientDisconnected,
  consumedBody,
  type RequestBody,
} from '../request-body.ts'
import { announcedLength, closeAfterLong, discardBody } from './discard-body.ts'

/** Options of {@link readBody}. */
export interface ReadBodyOptions {
  /** The most bytes of the body. */
  readonly limit: number
  /** The stream to read, if the host decodes the body by a stream of its own. @default the request */
  readonly source?: Readable
}

/** The advice to a host that has read the body of a request itself. */
export const consumed: BodyAdvice = consumedBody(
  'Mount the routes before what reads it, or set `request.body` to what was read.',
)

const noBodySent: RequestBody = { kind: 'none' }

/**
 * Reads a request's body. Rejects with `BodyTooLarge` as soon as the body exceeds or announces more than the limit. The
 * rest is then discarded so that the connection stays usable; if it is more than 32 MiB, the connection is closed.
 * Rejects with `ClientDisconnected` if the client disconnects before the end of the body, and with `BodyUnavailable` if
 * a part of it was already read.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { limit, source = request }: ReadBodyOptions,
): RequestBody | Promise<RequestBody> {
  const announced = announcedLength(request)
  if (announced === 0) return noBodySent
  if (source.readableDidRead) return Promise.reject(new BodyUnavailable(consumed))
  if (source.readableEnded) return noBodySent
  if (source === request && announced !== undefined && announced > limit) {
    closeAfterLong(announced, response)
    return Promise.reject(new BodyTooLarge(limit))
  }
  return new Promise((resolve, reject) => {
    const collector = new ByteCollector()
    const settle = () => {
      source.off('data', onData)
      source.off('end', onEnd)
      source.off('error', onError)
      source.off('close', onClose)
    }
    const onData = (chunk: Uint8Array) => {
      collector.add(chunk)
      if (collector.size <= limit) return
      settle()
      discardBody(request, source)
      reject(new BodyTooLarge(limit))
    }
    const onEnd = () => {
      settle()
      resolve({ kind: 'bytes', bytes: collector.bytes() })
    }
    const onError = (error: Error) => {
      settle()
      reject(request.complete && !request.socket.destroyed ? error : new ClientDisconnected())
    }
    const onClose = () => {
      settle()
      reject(new ClientDisconnected())
    }
    source.on('data', onData)
    source.on('end', onEnd)
    source.on('error', onError)
    source.on('close', onClose)
    if (source.destroyed) onClose()
  })
}
