import type { Socket } from 'node:dgram'
import type { DatagramBatches } from './datagram-batches.ts'
import type { DatagramChannel } from './datagram-channel.ts'
import type { FrameSlab } from './frame-slab.ts'
import type { SendStage, SendStages } from './send-stage.ts'
import type { TurnBudget } from './turn-budget.ts'

export interface BatchedChannelOptions {
  readonly socket: Socket
  readonly descriptor: number
  readonly slab: FrameSlab
  readonly receive: (frame: Uint8Array) => void
  readonly batches: DatagramBatches
  readonly stages: SendStages
  readonly budget: TurnBudget
}

/** Batches that one socket receives before others get a turn. */
const MAX_BATCHES = 4

/**
 * Receives frames in batches once the event loop has delivered the first. Sends them in batches, when a batch is full
 * or in the microtask after the running code.
 */
export function createBatchedChannel(options: BatchedChannelOptions): DatagramChannel {
  const { socket, descriptor, slab, receive, batches, stages, budget } = options
  const lengths = new Int32Array(batches.size)
  let isOpen = true
  let segment = true
  let stage: SendStage | undefined

  const deliver = (frame: Uint8Array) => {
    try {
      receive(frame)
    } catch (error) {
      // The rest of the batch is in memory already and must not be lost.
      queueMicrotask(() => {
        throw error
      })
    }
  }

  /** @returns the number of frames */
  const receiveBatch = (): number => {
    const count = batches.receive(descriptor, lengths)
    let total = 0
    for (let index = 0; index < count; index += 1) total += lengths[index] ?? 0
    slab.reserve(total)
    batches.take(slab.buffer, slab.offset)
    for (let index = 0; index < count; index += 1) deliver(slab.take(lengths[index] ?? 0))
    return count
  }

  const drain = () => {
    for (let left = MAX_BATCHES; left > 0 && isOpen; left -= 1) {
      if (budget.take(batches.size) < batches.size) return
      const count = receiveBatch()
      budget.give(batches.size - count)
      if (count < batches.size) return
    }
  }

  const sendFrames = (full: SendStage) => {
    if (full.count === 0) return
    const accepted = batches.send(descriptor, full.bytes, full.lengths, full.count, segment)
    if (accepted < 0) segment = false
    full.count = 0
    full.end = 0
  }

  const flush = () => {
    if (stage === undefined) return
    const full = stage
    stage = undefined
    if (isOpen) sendFrames(full)
    stages.release(full)
  }

  socket.on('message', (frame) => {
    receive(frame)
    drain()
  })

  return {
    send(frame) {
      if (!isOpen) return false
      stage ??= stages.acquire(flush)
      if (stage.count === batches.size || stage.end + frame.length > stage.bytes.length) sendFrames(stage)
      stage.bytes.set(frame, stage.end)
      stage.lengths[stage.count] = frame.length
      stage.count += 1
      stage.end += frame.length
      return true
    },
    close: () =>
      new Promise((resolve) => {
        if (!isOpen) return resolve()
        flush()
        // The descriptor must not be used from here on: the number can become another file's.
        isOpen = false
        socket.close(() => resolve())
      }),
  }
}
