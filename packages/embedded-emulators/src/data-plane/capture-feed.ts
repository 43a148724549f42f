import type { CaptureSink } from '@trivium/emulation-core/ports'
import { joinBytes } from './join-bytes.ts'
import type { FromDataPlane } from './messages.ts'
import type { Outbox } from './outbox.ts'

/** Sends the records of a capture to the thread that has its sink. */
export interface CaptureFeed {
  /** Takes the header of the file, which the other thread writes, and then records. */
  readonly sink: CaptureSink
  /** The other thread has passed on bytes. */
  kept(bytes: number): void
}

/** Bytes that wait for the other thread at most, and that it gets in one turn of its event loop. */
const MOST_BYTES = 2 * 1024 * 1024

export function createCaptureFeed(capture: number, outbox: Outbox<FromDataPlane>, closed: () => void): CaptureFeed {
  let hasHeader = false
  let records: Uint8Array[] = []
  let collected = 0
  let sent = 0

  const send = () => {
    if (records.length === 0) return
    const bytes = joinBytes(records)
    records = []
    sent += collected
    collected = 0
    outbox.push({ type: 'captured', capture, bytes }, bytes.buffer)
  }

  return {
    sink: {
      write(bytes) {
        if (!hasHeader) {
          hasHeader = true
          return
        }
        if (records.length === 0) queueMicrotask(send)
        records.push(bytes)
        collected += bytes.length
      },
      get bufferedBytes() {
        return collected + sent < MOST_BYTES ? 0 : Number.POSITIVE_INFINITY
      },
      async close() {
        send()
        closed()
      },
    },
    kept(bytes) {
      sent -= bytes
    },
  }
}
