/** Whether a clock can be trusted. Before that, nothing that cannot be restored is deleted by its time. */
export interface ClockKnowledge {
  /** Whether the clock has run evenly for 24 hours. */
  readonly isTrusted: boolean
  /**
   * An expiry at or after this time is valid, even where the clock was wrong before. 1970 once the clock is trusted.
   */
  readonly since: Date
}

/** The least error of a clock that is corrected after a boot, or that has taken daylight saving time for UTC. */
const JUMP_MS = 3_600_000
const TRUSTED_MS = 86_400_000

/**
 * Compares a clock with the monotonic clock of the process, from now on. Each call of the returned function compares
 * them: a jump of an hour or more, ahead or back, begins the 24 hours again. A jump and its reversal between two calls
 * are not noticed. A machine that has slept counts as a jump.
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
