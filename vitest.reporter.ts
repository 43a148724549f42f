import type { Reporter, TestModule } from 'vitest/node'

/** Closes a run with one plain line, `N passed, N failed`, that any CI can read. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      const before = counts.failed
      for (const test of module.children.allTests()) counts[test.result().state] += 1
      // A hook that failed fails its module, though no test of it ran.
      if (module.state() === 'failed' && counts.failed === before) counts.failed += 1
    }
    const skipped = counts.skipped + counts.pending
    console.log(`${counts.passed} passed, ${counts.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  }
}
