export interface DrainOptions {
  /** How many streams may be listened to at a time after their clients have left. @default 100 */
  readonly maxStreams?: number
  /** @default 1 MiB */
  readonly maxBytes?: number
  /** @default 30 */
  readonly maxSeconds?: number
}

/** Listens to upstreams whose clients have left, so that their usage is known to the end. */
export interface Drains {
  /** `undefined` where as many as allowed run already. */
  begin(): DrainLimits | undefined
}

export interface DrainLimits {
  /** On the clock of `performance.now()`. */
  readonly endsAt: number
  /** @returns `false` once there were too many bytes */
  take(bytes: number): boolean
  end(): void
}

export function createDrains({ maxStreams = 100, maxBytes = 2 ** 20, maxSeconds = 30 }: DrainOptions = {}): Drains {
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
