export interface Page<Result> {
  readonly results: readonly Result[]
  /** Where the next page is; absent on the last one. */
  readonly next?: Next | undefined
}

/** Whatever an engine needs to know to ask for its next page. */
type Next = NonNullable<unknown>

export interface CollectOptions<Result> {
  readonly maxResults: number
  readonly maxPages: number
  /** Results with the same key are one: pages overlap. */
  readonly keyOf: (result: Result) => string
}

/**
 * Asks page after page until there are enough results, no more pages, or a page that brings nothing new. Once there are
 * some, a page that fails is the end: what was found is better than nothing.
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
