/** Delivers frames later, so that no device receives while it sends. */
export interface DeliveryQueue {
  /** Calls `receiver.deliver(frame)` in a microtask, in order. @returns false when 1,024 frames wait for the receiver */
  push(receiver: Receiver, frame: Uint8Array): boolean
  /** Drops the frames that wait. */
  close(): void
}

export interface Receiver {
  deliver(frame: Uint8Array): void
  /** Frames that wait for it. Set by the queue. */
  waiting: number
}

/** Frames that can wait for one receiver. */
const MAX_WAITING = 1024

/** Frames that are delivered before sockets and timers get a turn: devices in a loop must not block the process. */
const BURST = 2048

const deliver = (receiver: Receiver, frame: Uint8Array) => {
  try {
    receiver.deliver(frame)
  } catch (error) {
    // A fault of one receiver must not delay the frames of others.
    queueMicrotask(() => {
      throw error
    })
  }
}

export function createDeliveryQueue(): DeliveryQueue {
  let receivers: Receiver[] = []
  let frames: Uint8Array[] = []
  let head = 0
  let scheduled = false

  const drain = () => {
    for (let left = BURST; left > 0 && head < frames.length; left -= 1) {
      const receiver = receivers[head]
      const frame = frames[head]
      head += 1
      if (receiver === undefined || frame === undefined) continue
      receiver.waiting -= 1
      deliver(receiver, frame)
    }
    if (head < frames.length) {
      receivers.splice(0, head)
      frames.splice(0, head)
      setImmediate(drain)
    } else {
      receivers.length = 0
      frames.length = 0
      scheduled = false
    }
    head = 0
  }

  return {
    push(receiver, frame) {
      if (receiver.waiting >= MAX_WAITING) return false
      receiver.waiting += 1
      receivers.push(receiver)
      frames.push(frame)
      if (!scheduled) {
        scheduled = true
        queueMicrotask(drain)
      }
      return true
    },
    close() {
      receivers = []
      frames = []
      head = 0
    },
  }
}
