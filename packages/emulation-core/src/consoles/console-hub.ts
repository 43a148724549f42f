import type { ConsoleEndpoint } from './console-endpoint.ts'
import { createScrollback } from './scrollback.ts'

/** One console shown to any number of viewers, each of whom may type. */
export interface ConsoleHub {
  /** Shows this endpoint from now on, in place of the one before. */
  connect(endpoint: ConsoleEndpoint): void
  /** Shows what was shown before first. `undefined` when no more viewers fit. */
  attach(viewer: ConsoleViewer): ConsoleInput | undefined
  readonly viewers: number
  /** Closes every viewer; the hub shows nothing afterwards. */
  close(): void
}

export interface ConsoleViewer {
  send(bytes: Uint8Array): void
  /** Bytes that were sent and have not left yet. */
  readonly bufferedBytes: number
  /** @param reason `slow` for a viewer that could not keep up */
  close(reason: 'slow' | 'ended'): void
}

export interface ConsoleInput {
  write(bytes: Uint8Array): void
  resize(columns: number, rows: number): void
  detach(): void
}

/** How one console serves its viewers. */
export interface ConsoleHubOptions {
  /** How much of the past a new viewer sees. @default 64 KiB */
  readonly scrollbackBytes?: number
  /**
   * A viewer with more than this waiting for it is dropped; with more than half of it, the program has to wait first.
   * @default 1 MiB
   */
  readonly viewerBufferBytes?: number
  /** How long a program waits for a viewer before that one is dropped. @default 2,000 */
  readonly patienceMs?: number
  /** The most viewers of one console; a further one is refused. @default 100 */
  readonly viewerLimit?: number
}

/** How often it is looked whether viewers have caught up. */
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
  /** The endpoint that has to wait. */
  let paused: ConsoleEndpoint | undefined

  const drop = (viewer: ConsoleViewer) => {
    viewers.delete(viewer)
    viewer.close('slow')
  }

  const behind = () => [...viewers].filter(({ bufferedBytes }) => bufferedBytes > viewerBufferBytes / 2)

  const wait = (held: ConsoleEndpoint, milliseconds: number) => {
    setTimeout(() => {
      const slow = behind()
      if (slow.length > 0 && milliseconds < patienceMs) return wait(held, milliseconds + POLL_MS)
      for (const viewer of slow) drop(viewer)
      paused = undefined
      held.resume?.()
    }, POLL_MS)
  }

  const pace = () => {
    if (endpoint?.pause === undefined || paused === endpoint || behind().length === 0) return
    paused = endpoint
    endpoint.pause()
    wait(endpoint, 0)
  }

  const show = (bytes: Uint8Array) => {
    scrollback.push(bytes)
    for (const viewer of viewers) {
      viewer.send(bytes)
      if (viewer.bufferedBytes > viewerBufferBytes) drop(viewer)
    }
    pace()
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
      const past = scrollback.snapshot()
      if (past.length > 0) viewer.send(past)
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
