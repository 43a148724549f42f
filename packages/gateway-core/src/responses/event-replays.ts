import { releaseTimer } from '../release-timer.ts'
import { EventReplay, type EventStream } from './event-replay.ts'

export interface EventReplaysOptions {
  /** The most bytes of the events of one response. */
  readonly maxBytes: number
  /** The most bytes of all events. */
  readonly maxAllBytes: number
  readonly keepAliveMs: number
}

/** The events of the responses in the background of this process. */
export interface EventReplays {
  open(id: string): EventReplay
  /** Returns the events after a number, or `undefined` where they are not kept. */
  after(id: string, number: number): EventStream | undefined
  /** Ends the events of a response, and keeps them for 5 minutes. */
  end(id: string): void
  /** Ends and drops the events of a response. */
  drop(id: string): void
  /** Ends and drops all events. */
  close(): void
}

/** How long events are kept after the last one. */
const KEPT_MS = 300_000

export function createEventReplays({ maxBytes, maxAllBytes, keepAliveMs }: EventReplaysOptions): EventReplays {
  const replays = new Map<string, EventReplay>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  let total = 0

  const drop = (id: string): void => {
    clearTimeout(timers.get(id))
    timers.delete(id)
    const replay = replays.get(id)
    replays.delete(id)
    replay?.end()
    replay?.clear()
  }

  /** Makes room: first from responses that have ended, then from the one that grows. */
  const shrink = (grown: EventReplay): void => {
    for (const [id, replay] of replays) {
      if (total <= maxAllBytes) return
      if (replay.ended) drop(id)
    }
    while (total > maxAllBytes && grown.dropOldest()) {}
  }

  const open = (id: string): EventReplay => {
    const replay: EventReplay = new EventReplay({
      maxBytes,
      keepAliveMs,
      onResized: (bytes) => {
        total += bytes
        if (bytes > 0 && total > maxAllBytes) shrink(replay)
      },
    })
    replays.set(id, replay)
    return replay
  }

  return {
    open,
    after: (id, number) => replays.get(id)?.after(number),
    end(id) {
      const replay = replays.get(id)
      if (!replay) return
      replay.end()
      const timer = setTimeout(() => drop(id), KEPT_MS)
      releaseTimer(timer)
      timers.set(id, timer)
    },
    drop,
    close() {
      for (const id of [...replays.keys()]) drop(id)
    },
  }
}
