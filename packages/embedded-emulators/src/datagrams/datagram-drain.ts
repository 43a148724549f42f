import { readSync } from 'node:fs'
import { type FrameSlab, LARGEST_DATAGRAM } from './frame-slab.ts'
import type { TurnBudget } from './turn-budget.ts'

/** Reads what waits in a UDP socket, with one system call a datagram and nothing else. */
export interface DatagramDrain {
  /** To be called after every datagram that came by the event loop. */
  afterDatagram(): void
}

export interface DatagramDrainOptions {
  readonly descriptor: number
  readonly slab: FrameSlab
  readonly receive: (frame: Uint8Array) => void
  readonly budget: TurnBudget
  readonly isOpen: () => boolean
}

/** Datagrams a call: others must get a turn. */
const BURST = 32

/** Only datagrams this close after each other (milliseconds) are worth a look at what waits behind them. */
const CLOSE_TOGETHER = 0.1

/** The most datagrams of the event loop that go by before an empty socket is looked at again. */
const MOST_PATIENCE = 64

/**
 * A look at an empty socket costs an exception. So it is taken only when datagrams come in close order, and after every
 * look in vain twice as many of them pass before the next.
 */
export function createDatagramDrain({
  descriptor,
  slab,
  receive,
  budget,
  isOpen,
}: DatagramDrainOptions): DatagramDrain {
  let last = 0
  let patience = 1
  let passed = 0

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
      const close = now - last < CLOSE_TOGETHER
      last = now
      passed = close ? passed + 1 : 0
      if (passed < patience) return
      passed = 0
      patience = drain() > 1 ? 1 : Math.min(MOST_PATIENCE, patience * 2)
      last = performance.now()
    },
  }
}

/** An empty socket (EAGAIN) and a peer that is not there (ECONNREFUSED) are no faults; what a receiver throws is. */
const isSystemError = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'read'
