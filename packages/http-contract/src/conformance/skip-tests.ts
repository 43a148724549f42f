import { afterAll, beforeEach, expect } from 'vitest'

/** Skips the tests of the enclosing `describe` that have a reason, by title. Fails where no test has the title. */
export function skipTests(reasons: Readonly<Record<string, string>>): void {
  const unused = new Set(Object.keys(reasons))
  beforeEach(({ task, skip }) => {
    const reason = reasons[task.name]
    if (reason === undefined) return
    unused.delete(task.name)
    skip(reason)
  })
  afterAll(() => {
    expect([...unused], 'titles in exceptTests that no test has').toEqual([])
  })
}
