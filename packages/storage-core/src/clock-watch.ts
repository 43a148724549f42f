/** How far a clock can be trusted. Until then, it alone is not a reason to remove what cannot be restored. */
export interface ClockKnowledge {
  /** Whether the clock has run evenly for 24 hours. */
  readonly isTrusted: boolean
  /** What expired from this time on has expired, even if the clock was wrong before. 1970 once the clock is trusted. */
  readonly since: Date
}

/** A clock that is corrected after a boot, or local time that is taken for UTC, jumps by at least an hour. */
const JUMP_MS = 3_600_000
const TRUSTED_MS = 86_400_000

/**
 * Compares a clock with the monotonic clock of the process, each time the returned function is called. A jump of an
 * hour, forwards or backwards, restarts the 24 hours. A machine that sleeps has jumped. A jump that is reverted between
 * two calls is not noticed.
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
