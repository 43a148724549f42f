import type { UserConsoleLog } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a run with the reasons for skipped tests, as the tests printed them, and with one plain line, `N passed, N failed`,
 * that any CI can read.
 */
export default class SummaryReporter implements Reporter {
  readonly #reasons = new Set<string>()

  onUserConsoleLog({ content }: UserConsoleLog): void {
    for (const line of content.split('\n')) if (/\bskipped\b/i.test(line)) this.#reasons.add(line.trim())
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      const before = counts.failed
      for (const test of module.children.allTests()) counts[test.result().state] += 1
      // A failed hook fails its module, though no test of it ran.
      if (module.state() === 'failed' && counts.failed === before) counts.failed += 1
    }
    const skipped = counts.skipped + counts.pending
    if (this.#reasons.size > 0)
      console.log(`Skipped tests, with the reason:\n  ${[...this.#reasons].toSorted().join('\n  ')}`)
    console.log(`${counts.passed} passed, ${counts.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  }
}
