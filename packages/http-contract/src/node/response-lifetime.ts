import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Closable, createMountLifetime } from '../mount-lifetime.ts'
import { cutOff } from './cut-off.ts'
import { onceClosed } from './once-closed.ts'

/** The running responses of a mount on a Node server. */
export interface ResponseLifetime extends Closable {
  /** Aborts when the mount begins to close. */
  readonly closing: AbortSignal
  /** Counts a response as running until it is complete, or its connection has closed. */
  begin(request: IncomingMessage, response: ServerResponse): void
}

/** Creates the lifetime of a mount that answers with Node's responses. A closing mount closes their connections. */
export function responseLifetime(): ResponseLifetime {
  const { closing, close, begin, end } = createMountLifetime<ServerResponse>({
    announce: closeAfterwards,
    cut(response) {
      cutOff(response)
      // A client that reads nothing would keep the connection open.
      response.destroy()
    },
  })
  return {
    closing,
    close,
    begin(request, response) {
      if (response.writableEnded || response.destroyed) return
      if (closing.aborted) closeAfterwards(response)
      begin(response)
      onceClosed(request, response, () => end(response))
    },
  }
}

function closeAfterwards(response: ServerResponse): void {
  if (!response.headersSent && response.req.httpVersionMajor < 2) response.setHeader('connection', 'close')
}
