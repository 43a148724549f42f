/** The time after which a transaction has surely ended, beyond the interval at which btrfs ends them. */
const MARGIN_MS = 15_000

export interface UnchangedResultsOptions {
  /** Reads the newest transaction of the file system. `undefined` where it is unknown. */
  readonly generation: () => Promise<string | undefined>
  /** The interval in milliseconds at which the file system ends a transaction. */
  readonly commitMs: number
  /** A clock that only advances, in milliseconds. */
  readonly now?: () => number
}

/**
 * Keeps what was read from a file system until something is written to it.
 *
 * A transaction collects writes until it ends, and they do not change its number. So a result is kept only once it was
 * read after the transaction had ended.
 *
 * @returns a function that reads again, or returns the kept result of the same `key`
 */
export function unchangedResults<Result>({
  generation,
  commitMs,
  now = () => performance.now(),
}: UnchangedResultsOptions): (key: string, read: () => Promise<Result>) => Promise<Result> {
  let seen: { readonly generation: string; readonly at: number } | undefined
  let kept: { readonly generation: string; readonly key: string; readonly result: Result } | undefined
  return async (key, read) => {
    const before = await generation()
    if (before !== undefined && kept?.generation === before && kept.key === key) return kept.result
    kept = undefined
    if (before === undefined) seen = undefined
    else if (seen?.generation !== before) seen = { generation: before, at: now() }
    const hasEnded = seen !== undefined && now() - seen.at >= commitMs + MARGIN_MS
    const result = await read()
    if (before !== undefined && hasEnded && (await generation()) === before) kept = { generation: before, key, result }
    return result
  }
}
