/** Frames that wait, each until its time. Times never decrease from one frame to the next. */
export interface FrameRing {
  readonly length: number
  readonly bytes: number
  push(frame: Uint8Array, time: number): void
  /** The time of the first frame. `Infinity` when the ring is empty. */
  readonly firstTime: number
  /** Removes the first frame. */
  shift(): Uint8Array | undefined
}

const MIN_CAPACITY = 16

/** Creates a ring that doubles as needed and frees its memory once it is empty. */
export function createFrameRing(): FrameRing {
  let frames: (Uint8Array | undefined)[] = []
  let times = new Float64Array(0)
  let head = 0
  let length = 0
  let bytes = 0

  const grow = () => {
    const capacity = Math.max(MIN_CAPACITY, frames.length * 2)
    const ordered = new Float64Array(capacity)
    const moved = new Array<Uint8Array | undefined>(capacity).fill(undefined)
    for (let index = 0; index < length; index += 1) {
      const from = (head + index) & (frames.length - 1)
      moved[index] = frames[from]
      ordered[index] = times[from] ?? 0
    }
    frames = moved
    times = ordered
    head = 0
  }

  return {
    get length() {
      return length
    },
    get bytes() {
      return bytes
    },
    push(frame, time) {
      if (length === frames.length) grow()
      const at = (head + length) & (frames.length - 1)
      frames[at] = frame
      times[at] = time
      length += 1
      bytes += frame.length
    },
    get firstTime() {
      return length === 0 ? Number.POSITIVE_INFINITY : (times[head] ?? 0)
    },
    shift() {
      if (length === 0) return undefined
      const frame = frames[head]
      frames[head] = undefined
      head = (head + 1) & (frames.length - 1)
      length -= 1
      bytes -= frame?.length ?? 0
      if (length === 0 && frames.length > MIN_CAPACITY) {
        frames = []
        times = new Float64Array(0)
        head = 0
      }
      return frame
    },
  }
}
