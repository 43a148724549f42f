import { readSync } from 'node:fs'
import { type FrameSlab, LARGEST_DATAGRAM } from './frame-slab.ts'
import type { TurnBudget } from './turn-budget.ts'

/** Reads what waits in a UDP socket, with one system call for each datagram. */
export interface DatagramDrain {
  /** Must be called after every datagram that the event loop delivers. */
  afterDatagram(): void
}

export interface DatagramDrainOptions {
  readonly descriptor: number
  readonly slab: FrameSlab
  readonly receive: (frame: Uint8Array) => void
  readonly budget: TurnBudget
  readonly isOpen: () => boolean
}

/** Datagrams that one call reads, so that others get a turn. */
const BURST = 32

/** Milliseconds between two datagrams, at most, where a read is worth its cost. */
const BURST_GAP_MS = 0.1

/** Datagrams of the event loop that pass, at most, between two reads of an empty socket. */
const MAX_SKIPPED = 64

/**
 * Reading an empty socket costs an exception. So it is read only while datagrams arrive in quick succession, and after
 * each read without a result twice as many of them pass before the next.
 */
export function createDatagramDrain({
  descriptor,
  slab,
  receive,
  budget,
  isOpen,
}: DatagramDrainOptions): DatagramDrain {
  let last = 0
  let skipLimit = 1
  let skipped = 0

  const drain = (): number => {
    let count = 0
    const most = budget.take(BURST)
    try {
      while (count < most && isOpen()) {
        slab.reserve(LARGEST_DATAGRAM)
        const length = readSync(descriptor, slab.buffer, slab.offset, LARGEST_DATAGRAM, null)
        count += 1
        receive(slab.take(length))
      }
    } catch (error) {
      if (!isSystemError(error)) throw error
    } finally {
      budget.give(most - count)
    }
    return count
  }

  return {
    afterDatagram() {
      const now = performance.now()
      const close = now - last < BURST_GAP_MS
      last = now
      skipped = close ? skipped + 1 : 0
      if (skipped < skipLimit) return
      skipped = 0
      skipLimit = drain() > 1 ? 1 : Math.min(MAX_SKIPPED, skipLimit * 2)
      last = performance.now()
    },
  }
}

/** An empty socket (EAGAIN) and an absent peer (ECONNREFUSED) are expected. What a receiver throws is a fault. */
const isSystemError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'read'
