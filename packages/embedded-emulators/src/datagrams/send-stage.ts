import type { DatagramBatches } from './datagram-batches.ts'

/** Collects frames for one peer, one after the other, until they are sent together. */
export interface SendStage {
  readonly bytes: Uint8Array
  readonly lengths: Int32Array
  /** The number of frames in it. `end` is the number of bytes. */
  count: number
  end: number
}

/** Stages that all sockets share. They are emptied in the microtask after the running code. */
export interface SendStages {
  /** @returns an empty stage; `flush` is called in a microtask */
  acquire(flush: () => void): SendStage
  release(stage: SendStage): void
}

/** Enough for the largest datagram. */
const STAGE_BYTES = 64 * 1024

/** Idle stages that are kept for reuse. */
const MAX_IDLE = 64

export function createSendStages({ size }: Pick<DatagramBatches, 'size'>): SendStages {
  const idle: SendStage[] = []
  let flushes: (() => void)[] = []

  const flushAll = () => {
    const due = flushes
    flushes = []
    for (const flush of due) flush()
  }

  return {
    acquire(flush) {
      if (flushes.length === 0) queueMicrotask(flushAll)
      flushes.push(flush)
      return idle.pop() ?? { bytes: new Uint8Array(STAGE_BYTES), lengths: new Int32Array(size), count: 0, end: 0 }
    },
    release(stage) {
      stage.count = 0
      stage.end = 0
      if (idle.length < MAX_IDLE) idle.push(stage)
    },
  }
}
