export interface Page<Result> {
  readonly results: readonly Result[]
  /** Identifies the next page; absent on the last one. */
  readonly next?: Next | undefined
}

/** The data with which an engine requests its next page. */
type Next = NonNullable<unknown>

export interface CollectOptions<Result> {
  readonly maxResults: number
  readonly maxPages: number
  /** Results with the same key count once, because pages overlap. */
  readonly keyOf: (result: Result) => string
}

/**
 * Requests pages until there are enough results, there is no next page, or a page has no new results. If a page fails
 * after some results were found, returns these.
 */
export async function collect<Result>(
  ask: (next: Next | undefined) => Promise<Page<Result>>,
  { maxResults, maxPages, keyOf }: CollectOptions<Result>,
): Promise<readonly Result[]> {
  const found = new Map<string, Result>()
  let next: Next | undefined
  for (let page = 0; page < maxPages && found.size < maxResults; page++) {
    const before = found.size
    let answer: Page<Result>
    try {
      answer = await ask(next)
    } catch (thrown) {
      if (before === 0) throw thrown
      break
    }
    for (const result of answer.results) {
      const key = keyOf(result)
      if (!found.has(key)) found.set(key, result)
    }
    next = answer.next
    if (next === undefined || found.size === before) break
  }
  return [...found.values()].slice(0, maxResults)
}
