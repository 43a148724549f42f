import type { CaptureDirection } from '@trivium/emulation-core/ports'

type Watch = (frame: Uint8Array) => void

/** What can be watched: `undefined` where nobody watches. */
interface Watched {
  setTap(watch: Watch | undefined): void
}

/** Who watches a NIC, each in its own direction. */
export interface Taps {
  /** From now on the watchers see these two, and no others. */
  attach(outgoing: Watched, incoming: Watched): void
  /** @returns what takes it off again */
  add(direction: CaptureDirection, watch: Watch): () => void
}

export function createTaps(): Taps {
  const watchers = new Set<{ readonly direction: CaptureDirection; readonly watch: Watch }>()
  let watched: { readonly outgoing: Watched; readonly incoming: Watched } | undefined

  const combined = (direction: CaptureDirection): Watch | undefined => {
    const interested = [...watchers]
      .filter((watcher) => watcher.direction === 'both' || watcher.direction === direction)
      .map((watcher) => watcher.watch)
    if (interested.length < 2) return interested[0]
    return (frame) => {
      for (const watch of interested) watch(frame)
    }
  }

  const apply = () => {
    watched?.outgoing.setTap(combined('outgoing'))
    watched?.incoming.setTap(combined('incoming'))
  }

  return {
    attach(outgoing, incoming) {
      watched?.outgoing.setTap(undefined)
      watched?.incoming.setTap(undefined)
      watched = { outgoing, incoming }
      apply()
    },
    add(direction, watch) {
      const watcher = { direction, watch }
      watchers.add(watcher)
      apply()
      return () => {
        if (watchers.delete(watcher)) apply()
      }
    },
  }
}
