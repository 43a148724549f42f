import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/**
 * Answers bytes that are not valid HTTP with the status that Node uses, and adds the headers of all answers.
 *
 * @param isAnswering whether an answer is being sent over the connection, which a second one would corrupt
 */
export const malformedRequest =
  (headers: Readonly<Record<string, string>>, isAnswering: (socket: Duplex) => boolean) =>
  (error: Error & { readonly code?: string }, socket: Duplex): void => {
    if (socket.writable && !isAnswering(socket)) {
      const status = statuses[error.code ?? ''] ?? 400
      const lines = Object.entries({ connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}`)
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n`)
    }
    socket.destroy(error)
  }
