import type { DatagramBatches } from './datagram-batches.ts'

/** Where frames for one peer are put one behind the other until they leave together. */
export interface SendStage {
  readonly bytes: Uint8Array
  readonly lengths: Int32Array
  /** The frames and bytes in it. */
  count: number
  end: number
}

/** Stages that all sockets share, and the moment at which they are emptied: when the code that runs now is done. */
export interface SendStages {
  /** An empty one, and a promise that `flush` is called soon. */
  borrow(flush: () => void): SendStage
  giveBack(stage: SendStage): void
}

/** Room for the largest datagram. */
const STAGE_BYTES = 64 * 1024

/** Stages that are kept for the next time; only in a flood are there more. */
const MOST_IDLE = 64

export function createSendStages({ size }: Pick<DatagramBatches, 'size'>): SendStages {
  const idle: SendStage[] = []
  let flushes: (() => void)[] = []

  const flushAll = () => {
    const due = flushes
    flushes = []
    for (const flush of due) flush()
  }

  return {
    borrow(flush) {
      if (flushes.length === 0) queueMicrotask(flushAll)
      flushes.push(flush)
      return idle.pop() ?? { bytes: new Uint8Array(STAGE_BYTES), lengths: new Int32Array(size), count: 0, end: 0 }
    },
    giveBack(stage) {
      stage.count = 0
      stage.end = 0
      if (idle.length < MOST_IDLE) idle.push(stage)
    },
  }
}
