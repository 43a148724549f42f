import type { Impairment } from '@trivium/emulation-core/ports'
import type { Clock } from '../clock/clock.ts'
import { createFrameSlab, type FrameSlab } from '../datagrams/frame-slab.ts'
import { createFrameRing } from './frame-ring.ts'

export interface ImpairedLineOptions {
  readonly impairment: Impairment
  readonly clock: Clock
  /** Returns numbers from 0 to below 1, evenly distributed, as `Math.random`. */
  readonly random: () => number
  readonly deliver: (frame: Uint8Array) => void
  readonly dropped: () => void
}

/** One direction of a link with impairments. Frames leave in the order in which they were pushed. */
export interface ImpairedLine {
  push(frame: Uint8Array): void
  /** Frames that wait keep their time. */
  set(impairment: Impairment): void
  /** Frames that wait. */
  readonly waiting: number
  /** Drops the frames that wait, and does not call `dropped` for them. */
  close(): void
}

/** What a direction holds at most. Further frames are dropped. */
const limits = { frames: 262_144, bytes: 64 * 1024 * 1024 }

const DEFAULT_QUEUE_BYTES = 64 * 1024

/** Frames that leave before others get a turn. */
const BURST = 4096

/** Milliseconds that a frame can be early, as the clock counts in steps of about 0.0002. */
const TOLERANCE = 0.001

/** Once more than `MAX_SEPARATE_COPIES` frames wait, copies share slabs of this size: memory of their own costs more. */
const SLAB_BYTES = 64 * 1024
const MAX_SEPARATE_COPIES = 16

function flipOneBit(frame: Uint8Array, random: () => number): Uint8Array {
  const damaged = Uint8Array.prototype.slice.call(frame)
  const bit = Math.floor(random() * damaged.length * 8)
  damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return damaged
}

/**
 * Loss, duplication and corruption are drawn first, then frames queue for the bandwidth, then they are delayed. All
 * delayed frames share a ring and one timer, so that a delay costs no throughput. A percentage of 0 draws no random
 * number: the rest of a seeded sequence stays the same.
 */
export function createImpairedLine({
  impairment: initial,
  clock,
  random,
  deliver,
  dropped,
}: ImpairedLineOptions): ImpairedLine {
  const ring = createFrameRing()
  // Times count from here, not from 1970: large numbers lose the precision that small frames at high rates need.
  const begin = clock.now()
  let impairment = initial
  let freeAt = Number.NEGATIVE_INFINITY
  let lastRelease = Number.NEGATIVE_INFINITY
  let cancelTimer: (() => void) | undefined
  let slab: FrameSlab | undefined

  const elapsed = () => clock.now() - begin

  const occurs = (percent: number) => percent > 0 && random() * 100 < percent

  /** Copies a frame that would keep a much larger buffer in memory. */
  const compact = (frame: Uint8Array): Uint8Array => {
    if (frame.buffer.byteLength <= 4 * frame.byteLength) return frame
    if (ring.length < MAX_SEPARATE_COPIES) return Uint8Array.prototype.slice.call(frame)
    slab ??= createFrameSlab(SLAB_BYTES)
    slab.reserve(frame.length)
    slab.buffer.set(frame, slab.offset)
    return slab.take(frame.length)
  }

  const scheduleRelease = () => {
    cancelTimer ??= clock.after(Math.max(0, ring.firstTime - elapsed()), release)
  }

  const release = () => {
    cancelTimer = undefined
    const now = elapsed() + TOLERANCE
    for (let left = BURST; left > 0 && ring.firstTime <= now; left -= 1) {
      const frame = ring.shift()
      if (frame !== undefined) deliver(frame)
    }
    if (ring.length > 0) scheduleRelease()
    else slab = undefined
  }

  /** The time at which the last bit is sent. `undefined` where the queue for the bandwidth is full. */
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
    if (departsAt === undefined || ring.length >= limits.frames || ring.bytes + frame.length > limits.bytes) {
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
    scheduleRelease()
  }

  return {
    push(frame) {
      if (occurs(impairment.lossPercent)) {
        dropped()
        return
      }
      const twice = occurs(impairment.duplicationPercent)
      const sent = occurs(impairment.corruptionPercent) ? flipOneBit(frame, random) : frame
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
