/** How far a clock is trusted. Data that cannot be restored is removed only by a trusted clock. */
export interface ClockTrust {
  /** Whether the clock has run evenly for 24 hours. */
  readonly isTrusted: boolean
  /** Times from here on are reliable: a record that ended since has ended. 1970 once the clock is trusted. */
  readonly since: Date
}

/** A clock that is corrected after a boot, or a daylight time taken for UTC, jumps by at least this. */
const JUMP_MS = 3_600_000
const TRUSTED_MS = 86_400_000

/**
 * Compares a clock with the monotonic clock of the process, from now on. Each call of the returned function compares
 * again: a jump of at least an hour, ahead or back, restarts the 24 hours. A jump that is undone between two calls is not
 * seen. A machine that slept counts as a jump.
 */
export function watchClock(now: () => Date): () => ClockTrust {
  const read = () => ({ wall: now().getTime(), elapsed: performance.now() })
  let watched = read()
  return () => {
    const latest = read()
    const elapsed = latest.elapsed - watched.elapsed
    if (Math.abs(latest.wall - watched.wall - elapsed) >= JUMP_MS) watched = latest
    const isTrusted = latest.elapsed - watched.elapsed >= TRUSTED_MS
    return { isTrusted, since: new Date(isTrusted ? 0 : watched.wall) }
  }
}
