/** What is known of a clock: by it alone nothing is removed that cannot be made again. */
export interface ClockKnowledge {
  /** Whether the clock has run evenly for 24 hours. */
  readonly isTrusted: boolean
  /** What ended from this time on has ended, also where the clock was wrong before. Once the clock is trusted, that is 1970. */
  readonly since: Date
}

/** A clock that is set right after a boot, and a daylight time that is taken for UTC, are that far off or farther. */
const JUMP_MS = 3_600_000
const TRUSTED_MS = 86_400_000

/**
 * Compares a clock with the monotonic one of the process, from now on. Each call of what it returns looks: a jump of an
 * hour, ahead or back, begins the 24 hours again. What jumps and comes back between two looks is not seen. A machine that
 * sleeps has jumped.
 */
export function watchClock(now: () => Date): () => ClockKnowledge {
  const look = () => ({ wall: now().getTime(), elapsed: performance.now() })
  let watched = look()
  return () => {
    const latest = look()
    const elapsed = latest.elapsed - watched.elapsed
    if (Math.abs(latest.wall - watched.wall - elapsed) >= JUMP_MS) watched = latest
    const isTrusted = latest.elapsed - watched.elapsed >= TRUSTED_MS
    return { isTrusted, since: new Date(isTrusted ? 0 : watched.wall) }
  }
}
