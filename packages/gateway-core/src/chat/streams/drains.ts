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

/** Limits the answers that are read to their end after their clients have disconnected, so that their usage is known. */
export interface Drains {
  /**
   * Starts a drain. Returns `undefined` where `maxStreams` are running, or after the close.
   *
   * @param onClose ends the drain
   */
  begin(onClose: () => void): DrainLimits | undefined
  /** Ends all drains. */
  close(): void
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
  // Objects, because a function may be given twice.
  const running = new Set<{ readonly onClose: () => void }>()
  let isClosed = false
  return {
    begin(onClose) {
      if (isClosed || running.size >= maxStreams) return undefined
      const drain = { onClose }
      running.add(drain)
      let left = maxBytes
      return {
        endsAt: performance.now() + maxSeconds * 1000,
        take(bytes) {
          left -= bytes
          return left >= 0
        },
        end() {
          running.delete(drain)
        },
      }
    },
    close() {
      isClosed = true
      for (const { onClose } of running) onClose()
    },
  }
}
