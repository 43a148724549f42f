import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { ByteCollector } from '../byte-collector.ts'
import { BodyTooLarge, ClientGone, type RequestBody } from '../request-body.ts'

/** How much of a request is read, and from where. */
export interface ReadBodyOptions {
  /** The most bytes. */
  readonly limit: number
  /** Where the body comes from, if the host put a stream of its own before it. @default the request */
  readonly source?: Readable
}

/** What is read past a limit so that the client, which may not read before it has sent all, sees the answer. */
const DISCARD_LIMIT = 32 * 2 ** 20

const noBodySent: RequestBody = { kind: 'none' }

/**
 * Collects a request's body. As soon as more than the limit is known to come it rejects with `BodyTooLarge`; the rest is
 * discarded, which leaves the connection usable, unless it is more than 32 MiB: then the connection ends.
 * Rejects with `ClientGone` when the body breaks off.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { limit, source = request }: ReadBodyOptions,
): RequestBody | Promise<RequestBody> {
  const announced = announcedLength(request)
  if (announced === 0 || source.readableEnded) return noBodySent
  if (source === request && announced !== undefined && announced > limit) {
    if (announced > DISCARD_LIMIT) closeAfterwards(response)
    return Promise.reject(new BodyTooLarge(limit))
  }
  return new Promise((resolve, reject) => {
    const collector = new ByteCollector()
    const settle = () => {
      source.off('data', onData)
      source.off('end', onEnd)
      source.off('error', onError)
      source.off('close', onGone)
    }
    const onData = (chunk: Uint8Array) => {
      collector.add(chunk)
      if (collector.size <= limit) return
      settle()
      source.on('error', () => undefined)
      source.resume()
      boundDiscarding(request)
      reject(new BodyTooLarge(limit))
    }
    const onEnd = () => {
      settle()
      resolve({ kind: 'bytes', bytes: collector.bytes() })
    }
    const onError = (error: Error) => {
      settle()
      reject(request.complete && !request.socket.destroyed ? error : new ClientGone())
    }
    const onGone = () => {
      settle()
      reject(new ClientGone())
    }
    source.on('data', onData)
    source.on('end', onEnd)
    source.on('error', onError)
    source.on('close', onGone)
    if (source.destroyed) onGone()
  })
}

/** `undefined` where only reading can tell. */
function announcedLength({ headers, httpVersionMajor }: IncomingMessage): number | undefined {
  const length = headers['content-length']
  if (length !== undefined) return Number(length)
  return headers['transfer-encoding'] === undefined && httpVersionMajor < 2 ? 0 : undefined
}

function closeAfterwards(response: ServerResponse): void {
  if (!response.headersSent && response.req.httpVersionMajor < 2) response.setHeader('connection', 'close')
}

// Once a response is out, Node discards what is left of its request without showing it to anyone: only the socket counts.
function boundDiscarding(request: IncomingMessage): void {
  const { socket } = request
  const last = socket.bytesRead + DISCARD_LIMIT
  const watch = setInterval(() => {
    if (!request.complete && !socket.destroyed && socket.bytesRead <= last) return
    clearInterval(watch)
    if (!request.complete) socket.destroy()
  }, 100)
  watch.unref()
}
