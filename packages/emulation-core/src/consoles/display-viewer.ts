import type { DisplayConnection, DisplayEndpoint } from './display-endpoint.ts'

/** A viewer's side of a display. */
export interface DisplayViewer {
  /** Called with bytes of the display, in order. */
  send(bytes: Uint8Array): void
  /** Bytes that are queued and not yet sent. */
  readonly bufferedBytes: number
  /** @param reason `unavailable` for a display that accepts no connection, `slow` for one that does not read its input */
  close(reason: 'ended' | 'slow' | 'unavailable'): void
}

/** The input of a viewer. Ignored after it was detached or closed. */
export interface DisplayInput {
  write(bytes: Uint8Array): void
  /** Closes the connection to the display, without a call of the viewer's `close`. */
  detach(): void
}

/** With more bytes that a viewer has not taken, the display waits. */
const VIEWER_BYTES = 1024 * 1024
/** A viewer with more bytes that the display has not taken is closed: keys and movements are small. */
const INPUT_BYTES = 256 * 1024
/** The interval of the checks whether a viewer has caught up. */
const POLL_MS = 20

/** Connects a viewer to a display and passes on bytes in both directions, at the pace of the slower side. */
export function attachDisplayViewer(display: DisplayEndpoint, viewer: DisplayViewer): DisplayInput {
  let connection: DisplayConnection | undefined
  let early: Uint8Array[] = []
  let earlyBytes = 0
  let isOpen = true
  let timer: ReturnType<typeof setTimeout> | undefined

  const detach = () => {
    isOpen = false
    clearTimeout(timer)
    early = []
    connection?.close()
  }
  const end = (reason: 'ended' | 'slow' | 'unavailable') => {
    if (!isOpen) return
    detach()
    viewer.close(reason)
  }
  const waitForViewer = () => {
    timer = setTimeout(() => {
      timer = undefined
      if (viewer.bufferedBytes > VIEWER_BYTES / 2) waitForViewer()
      else connection?.resume()
    }, POLL_MS)
  }
  const show = (bytes: Uint8Array) => {
    if (!isOpen) return
    viewer.send(bytes)
    if (viewer.bufferedBytes <= VIEWER_BYTES || timer !== undefined) return
    connection?.pause()
    waitForViewer()
  }

  display.connect({ data: show, closed: () => end('ended') }).then(
    (opened) => {
      if (!isOpen) return opened.close()
      connection = opened
      for (const bytes of early) opened.write(bytes)
      early = []
      if (timer !== undefined) opened.pause()
    },
    () => end('unavailable'),
  )

  return {
    write: (bytes) => {
      if (!isOpen) return
      if (connection !== undefined) connection.write(bytes)
      else {
        early.push(bytes.slice())
        earlyBytes += bytes.length
      }
      if ((connection?.bufferedBytes ?? earlyBytes) > INPUT_BYTES) end('slow')
    },
    detach,
  }
}
