import type { ConsoleEndpoint } from './console-endpoint.ts'
import { createScrollback } from './scrollback.ts'

/** Shows one console to several viewers. Each of them can type. */
export interface ConsoleHub {
  /** Shows this endpoint from now on, in place of the previous one. */
  connect(endpoint: ConsoleEndpoint): void
  /**
   * Adds a viewer and sends it the scrollback first. `undefined` where the viewer limit is reached or the hub is
   * closed.
   */
  attach(viewer: ConsoleViewer): ConsoleInput | undefined
  /** The number of attached viewers. */
  readonly viewers: number
  /** Closes every viewer. The hub shows nothing afterwards. */
  close(): void
}

/** A viewer's side of a console. */
export interface ConsoleViewer {
  /** Called with output as plain bytes, in order. */
  send(bytes: Uint8Array): void
  /** Bytes that are queued and not yet sent. */
  readonly bufferedBytes: number
  /** @param reason `slow` for a viewer that does not keep up, `ended` for a hub that closes */
  close(reason: 'slow' | 'ended'): void
}

/** The input of a viewer. Ignored after the viewer was detached or closed. */
export interface ConsoleInput {
  /** Passes typed bytes to the program. */
  write(bytes: Uint8Array): void
  /** Passes on the window size, in characters. */
  resize(columns: number, rows: number): void
  /** Removes the viewer, without a call of its `close`. */
  detach(): void
}

/** Limits of one console and its viewers, each at least 0. */
export interface ConsoleHubOptions {
  /** The most earlier output that a new viewer gets. @default 64 KiB */
  readonly scrollbackBytes?: number
  /**
   * A viewer with more queued bytes than this is closed. With more than half of it, the program has to wait first.
   * @default 1 MiB
   */
  readonly viewerBufferBytes?: number
  /** How long a program waits for a slow viewer before that viewer is closed. @default 2,000 */
  readonly patienceMs?: number
  /** The most viewers of one console. A further one is refused. @default 100 */
  readonly viewerLimit?: number
}

/** The interval of the checks whether viewers have caught up. */
const POLL_MS = 20

export function createConsoleHub({
  scrollbackBytes = 64 * 1024,
  viewerBufferBytes = 1024 * 1024,
  patienceMs = 2000,
  viewerLimit = 100,
}: ConsoleHubOptions = {}): ConsoleHub {
  const scrollback = createScrollback(scrollbackBytes)
  const viewers = new Set<ConsoleViewer>()
  let endpoint: ConsoleEndpoint | undefined
  let closed = false
  /** The endpoint that waits for slow viewers. */
  let paused: ConsoleEndpoint | undefined

  const drop = (viewer: ConsoleViewer) => {
    viewers.delete(viewer)
    viewer.close('slow')
  }

  const slowViewers = () => [...viewers].filter(({ bufferedBytes }) => bufferedBytes > viewerBufferBytes / 2)

  const waitForViewers = (pausedEndpoint: ConsoleEndpoint, milliseconds: number) => {
    setTimeout(() => {
      const slow = slowViewers()
      if (slow.length > 0 && milliseconds < patienceMs) return waitForViewers(pausedEndpoint, milliseconds + POLL_MS)
      for (const viewer of slow) drop(viewer)
      paused = undefined
      pausedEndpoint.resume?.()
    }, POLL_MS)
  }

  const pauseForSlowViewers = () => {
    if (endpoint?.pause === undefined || paused === endpoint || slowViewers().length === 0) return
    paused = endpoint
    endpoint.pause()
    waitForViewers(endpoint, 0)
  }

  const show = (bytes: Uint8Array) => {
    scrollback.push(bytes)
    for (const viewer of viewers) {
      viewer.send(bytes)
      if (viewer.bufferedBytes > viewerBufferBytes) drop(viewer)
    }
    pauseForSlowViewers()
  }

  return {
    connect: (next) => {
      endpoint = next
      next.onOutput((bytes) => {
        if (endpoint === next && !closed) show(bytes)
      })
    },
    attach: (viewer) => {
      if (closed || viewers.size >= viewerLimit) return undefined
      const history = scrollback.snapshot()
      if (history.length > 0) viewer.send(history)
      viewers.add(viewer)
      return {
        write: (bytes) => {
          if (viewers.has(viewer)) endpoint?.write(bytes)
        },
        resize: (columns, rows) => {
          if (viewers.has(viewer)) endpoint?.resize?.(columns, rows)
        },
        detach: () => {
          viewers.delete(viewer)
        },
      }
    },
    get viewers() {
      return viewers.size
    },
    close: () => {
      closed = true
      endpoint = undefined
      const leaving = [...viewers]
      viewers.clear()
      for (const viewer of leaving) viewer.close('ended')
    },
  }
}
