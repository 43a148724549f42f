import { checkRange, MAX_TIMER_SECONDS } from '../../check-range.ts'

/** Limits of reading on after a client has disconnected. */
export interface DrainOptions {
  /** The most streams that are drained at the same time. @default 100 */
  readonly maxStreams?: number
  /** The most bytes that are drained of one stream. @default 1 MiB */
  readonly maxBytes?: number
  /** The longest time that one stream is drained. @default 30 */
  readonly maxSeconds?: number
}

/** Limits the streams that are read to their end after their clients have disconnected, so that their usage is known. */
export interface Drains {
  /** Starts a drain. Returns `undefined` where `maxStreams` are running. */
  begin(): DrainLimits | undefined
}

export interface DrainLimits {
  /** On the clock of `performance.now()`. */
  readonly endsAt: number
  /** @returns `false` once `maxBytes` are exceeded */
  take(bytes: number): boolean
  end(): void
}

export function createDrains({ maxStreams = 100, maxBytes = 2 ** 20, maxSeconds = 30 }: DrainOptions = {}): Drains {
  checkRange({ 'drain.maxStreams': maxStreams, 'drain.maxBytes': maxBytes }, 0, Number.MAX_SAFE_INTEGER)
  checkRange({ 'drain.maxSeconds': maxSeconds }, 0, MAX_TIMER_SECONDS)
  let running = 0
  return {
    begin() {
      if (running >= maxStreams) return undefined
      running += 1
      let left = maxBytes
      return {
        endsAt: performance.now() + maxSeconds * 1000,
        take(bytes) {
          left -= bytes
          return left >= 0
        },
        end() {
          running -= 1
        },
      }
    },
  }
}
