import { joinBytes } from './join-bytes.ts'
import type { Frames, Post, Taken } from './messages.ts'

/** Collects messages and frames for another thread, and sends them together in the microtask after the running code. */
export interface Outbox<M> {
  /** @param transferred a buffer of the message, which this thread cannot use afterwards */
  push(message: M, transferred?: ArrayBuffer): void
  /** @returns false where too much waits for the other thread, so that the frame is lost */
  frame(device: number, frame: Uint8Array): boolean
  /** The other thread has taken frames. */
  taken(taken: Omit<Taken, 'type'>): void
}

/** Frames that wait for the other thread at most, and that it gets in one turn of its event loop. */
const most = { frames: 1024, bytes: 4 * 1024 * 1024 }

export function createOutbox<M>(post: Post<M | Frames>): Outbox<M> {
  let messages: (M | Frames)[] = []
  let transferred: ArrayBuffer[] = []
  let devices: number[] = []
  let frames: Uint8Array[] = []
  let scheduled = false
  const waiting = { frames: 0, bytes: 0 }

  const packFrames = () => {
    if (frames.length === 0) return
    const index = new Int32Array(frames.length * 2)
    for (const [position, frame] of frames.entries()) {
      index[position * 2] = devices[position] ?? 0
      index[position * 2 + 1] = frame.length
    }
    const bytes = joinBytes(frames)
    messages.push({ type: 'frames', index, bytes })
    transferred.push(index.buffer, bytes.buffer)
    devices = []
    frames = []
  }

  const send = () => {
    scheduled = false
    packFrames()
    const all = messages
    const given = transferred
    messages = []
    transferred = []
    post(all, given)
  }

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    queueMicrotask(send)
  }

  return {
    push(message, buffer) {
      packFrames()
      messages.push(message)
      if (buffer !== undefined) transferred.push(buffer)
      schedule()
    },
    frame(device, frame) {
      if (waiting.frames >= most.frames || waiting.bytes + frame.length > most.bytes) return false
      waiting.frames += 1
      waiting.bytes += frame.length
      devices.push(device)
      frames.push(frame)
      schedule()
      return true
    },
    taken(taken) {
      waiting.frames -= taken.frames
      waiting.bytes -= taken.bytes
    },
  }
}

/** Delivers frames. @returns the message for their sender */
export function deliverFrames({ index, bytes }: Frames, deliver: (device: number, frame: Uint8Array) => void): Taken {
  let end = 0
  for (let position = 0; position < index.length; position += 2) {
    const start = end
    end += index[position + 1] ?? 0
    try {
      deliver(index[position] ?? 0, bytes.subarray(start, end))
    } catch (error) {
      // A fault of one receiver must not lose the frames of others.
      queueMicrotask(() => {
        throw error
      })
    }
  }
  return { type: 'taken', frames: index.length / 2, bytes: bytes.length }
}
