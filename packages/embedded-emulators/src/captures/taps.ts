import type { CaptureDirection } from '@trivium/emulation-core/ports'

type Watch = (frame: Uint8Array) => void

/** A direction of a connection. `setTap(undefined)` ends watching. */
interface Watched {
  setTap(watch: Watch | undefined): void
}

/** The watchers of a NIC, each with its direction. */
export interface Taps {
  /** Moves all watchers to these two directions. */
  attach(outgoing: Watched, incoming: Watched): void
  /** @returns a function that removes the watcher */
  add(direction: CaptureDirection, watch: Watch): () => void
}

export function createTaps(): Taps {
  const watchers = new Set<{ readonly direction: CaptureDirection; readonly watch: Watch }>()
  let watched: { readonly outgoing: Watched; readonly incoming: Watched } | undefined

  const combined = (direction: CaptureDirection): Watch | undefined => {
    const matching = [...watchers]
      .filter((watcher) => watcher.direction === 'both' || watcher.direction === direction)
      .map((watcher) => watcher.watch)
    if (matching.length < 2) return matching[0]
    return (frame) => {
      for (const watch of matching) watch(frame)
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
