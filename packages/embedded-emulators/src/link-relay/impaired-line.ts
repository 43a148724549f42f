import type { Impairment } from '@trivium/emulation-core/ports'
import type { Clock } from '../clock/clock.ts'
import { createFrameSlab, type FrameSlab } from '../datagrams/frame-slab.ts'
import { createFrameRing } from './frame-ring.ts'

export interface ImpairedLineOptions {
  readonly impairment: Impairment
  readonly clock: Clock
  /** Evenly spread over 0 (possible) to 1 (not possible), as `Math.random`. */
  readonly random: () => number
  readonly deliver: (frame: Uint8Array) => void
  readonly dropped: () => void
}

/** One direction of a link that is worse than perfect. Frames leave in the order in which they came. */
export interface ImpairedLine {
  push(frame: Uint8Array): void
  /** Frames that wait keep their time. */
  set(impairment: Impairment): void
  /** Frames that wait. */
  readonly waiting: number
  /** Drops what waits, uncounted. */
  close(): void
}

/** What a direction holds at most, whatever the delay; what comes on top is dropped. */
const most = { frames: 262_144, bytes: 64 * 1024 * 1024 }

const DEFAULT_QUEUE_BYTES = 64 * 1024

/** Frames that leave before others get a turn. */
const BURST = 4096

/** Milliseconds that a frame may be early, as the clock itself counts in steps of about 0.0002. */
const TOLERANCE = 0.001

/** Where frames that wait lie together once there are so many that memory of their own would cost more. */
const SLAB_BYTES = 64 * 1024
const MOST_ALONE = 16

function flipOneBit(frame: Uint8Array, random: () => number): Uint8Array {
  const damaged = Uint8Array.prototype.slice.call(frame)
  const bit = Math.floor(random() * damaged.length * 8)
  damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return damaged
}

/**
 * Loss, duplication and corruption are drawn first, then frames queue for the bandwidth, then they are delayed. A
 * delay holds frames in a ring with one timer for all, so that it costs no throughput. Percentages of 0 draw no
 * random number: the rest of a seeded sequence stays the same.
 */
export function createImpairedLine({
  impairment: initial,
  clock,
  random,
  deliver,
  dropped,
}: ImpairedLineOptions): ImpairedLine {
  const ring = createFrameRing()
  // Counted from here, not from 1970: the time of a small frame at a high rate would drown in the large number.
  const begin = clock.now()
  let impairment = initial
  let freeAt = Number.NEGATIVE_INFINITY
  let lastRelease = Number.NEGATIVE_INFINITY
  let cancelTimer: (() => void) | undefined
  let slab: FrameSlab | undefined

  const elapsed = () => clock.now() - begin

  const strikes = (percent: number) => percent > 0 && random() * 100 < percent

  /** A copy where keeping the frame would keep a much larger buffer alive. */
  const compact = (frame: Uint8Array): Uint8Array => {
    if (frame.buffer.byteLength <= 4 * frame.byteLength) return frame
    if (ring.length < MOST_ALONE) return Uint8Array.prototype.slice.call(frame)
    slab ??= createFrameSlab(SLAB_BYTES)
    slab.reserve(frame.length)
    slab.buffer.set(frame, slab.offset)
    return slab.take(frame.length)
  }

  const arm = () => {
    cancelTimer ??= clock.after(Math.max(0, ring.firstTime - elapsed()), release)
  }

  const release = () => {
    cancelTimer = undefined
    const now = elapsed() + TOLERANCE
    for (let left = BURST; left > 0 && ring.firstTime <= now; left -= 1) {
      const frame = ring.shift()
      if (frame !== undefined) deliver(frame)
    }
    if (ring.length > 0) arm()
    else slab = undefined
  }

  /** When the last bit has gone out; `undefined` where the queue for the bandwidth is full. */
  const departure = (frame: Uint8Array, now: number): number | undefined => {
    const { bandwidthBitsPerSecond, queueBytes } = impairment
    if (bandwidthBitsPerSecond === 0) return now
    const bytesPerMillisecond = bandwidthBitsPerSecond / 8000
    const start = Math.max(now, freeAt)
    const queued = (start - now) * bytesPerMillisecond
    if (queued > 0 && queued + frame.length > (queueBytes || DEFAULT_QUEUE_BYTES)) return undefined
    freeAt = start + frame.length / bytesPerMillisecond
    return freeAt
  }

  const enqueue = (frame: Uint8Array) => {
    const now = elapsed()
    const departsAt = departure(frame, now)
    if (departsAt === undefined || ring.length >= most.frames || ring.bytes + frame.length > most.bytes) {
      dropped()
      return
    }
    const { delayMilliseconds, jitterMilliseconds } = impairment
    const jitter = jitterMilliseconds === 0 ? 0 : (random() * 2 - 1) * jitterMilliseconds
    lastRelease = Math.max(now, lastRelease, departsAt + delayMilliseconds + jitter)
    if (lastRelease <= now && ring.length === 0) {
      deliver(frame)
      return
    }
    ring.push(compact(frame), lastRelease)
    arm()
  }

  return {
    push(frame) {
      if (strikes(impairment.lossPercent)) {
        dropped()
        return
      }
      const twice = strikes(impairment.duplicationPercent)
      const sent = strikes(impairment.corruptionPercent) ? flipOneBit(frame, random) : frame
      enqueue(sent)
      if (twice) enqueue(sent)
    },
    set(next) {
      impairment = next
      if (next.bandwidthBitsPerSecond === 0) freeAt = Number.NEGATIVE_INFINITY
    },
    get waiting() {
      return ring.length
    },
    close() {
      cancelTimer?.()
      cancelTimer = undefined
      while (ring.shift() !== undefined);
    },
  }
}
