import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'

/** Bytes that are read beyond the limit, because some clients read the answer only after they have sent everything. */
const DISCARD_LIMIT = 32 * 2 ** 20

/** `undefined` if the length is not known before reading. */
export function announcedLength({ headers, httpVersionMajor }: IncomingMessage): number | undefined {
  const length = headers['content-length']
  if (length !== undefined) return Number(length)
  return headers['transfer-encoding'] === undefined && httpVersionMajor < 2 ? 0 : undefined
}

/** Closes the connection after the answer where too many bytes would have to be discarded. */
export function closeAfterLong(announced: number, response: ServerResponse): void {
  const closes = announced > DISCARD_LIMIT && !response.headersSent && response.req.httpVersionMajor < 2
  if (closes) response.setHeader('connection', 'close')
}

/** Discards the rest of a body. After 32 MiB the connection is closed. */
export function discardBody(request: IncomingMessage, source: Readable): void {
  source.on('error', () => undefined)
  source.resume()
  boundDiscarding(request)
}

// Once a response is sent, Node discards the rest of its request without an event: only the socket counts the bytes.
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
