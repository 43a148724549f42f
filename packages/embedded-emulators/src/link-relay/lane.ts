import { type DirectionCounters, type Impairment, noImpairment } from '@trivium/emulation-core/ports'
import type { Clock } from '../clock/clock.ts'
import { createImpairedLine, type ImpairedLine } from './impaired-line.ts'

/** The least and the most bytes of a frame that is forwarded. */
const frameBytes = { least: 14, most: 65_535 } as const

export interface LaneOptions {
  readonly clock: Clock
  readonly random: () => number
  /** Forwards the frame. @returns false where it has no receiver */
  readonly deliver: (frame: Uint8Array) => boolean
}

/** One direction of a connection: link state, impairments, captures and counters, in this order. */
export interface Lane {
  send(frame: Uint8Array): void
  setImpairment(impairment: Impairment): void
  setUp(up: boolean): void
  /** Sets a function that receives each frame before it is forwarded. */
  setTap(tap: ((frame: Uint8Array) => void) | undefined): void
  readonly counters: DirectionCounters
  close(): void
}

const isUnimpaired = (impairment: Impairment): boolean =>
  impairment.delayMilliseconds === 0 &&
  impairment.jitterMilliseconds === 0 &&
  impairment.lossPercent === 0 &&
  impairment.duplicationPercent === 0 &&
  impairment.corruptionPercent === 0 &&
  impairment.bandwidthBitsPerSecond === 0

export function createLane({ clock, random, deliver }: LaneOptions): Lane {
  let up = true
  let unimpaired = true
  let line: ImpairedLine | undefined
  let tap: ((frame: Uint8Array) => void) | undefined
  let frames = 0
  let bytes = 0
  let dropped = 0

  const pass = (frame: Uint8Array) => {
    if (!up) {
      dropped += 1
      return
    }
    tap?.(frame)
    if (deliver(frame)) {
      frames += 1
      bytes += frame.length
    } else dropped += 1
  }

  const countDropped = () => {
    dropped += 1
  }

  return {
    send(frame) {
      if (!up || frame.length < frameBytes.least || frame.length > frameBytes.most) dropped += 1
      else if (line === undefined) pass(frame)
      else {
        line.push(frame)
        if (unimpaired && line.waiting === 0) line = undefined
      }
    },
    setImpairment(impairment) {
      unimpaired = isUnimpaired(impairment)
      if (unimpaired && line?.waiting === 0) line = undefined
      else if (line !== undefined) line.set(unimpaired ? noImpairment : impairment)
      else if (!unimpaired) {
        line = createImpairedLine({ impairment, clock, random, deliver: pass, dropped: countDropped })
      }
    },
    setUp(next) {
      up = next
    },
    setTap(next) {
      tap = next
    },
    get counters() {
      return { frames, bytes, dropped }
    },
    close() {
      up = false
      line?.close()
    },
  }
}
