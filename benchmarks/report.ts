import { writeFileSync } from 'node:fs'
import { cpus, loadavg, release } from 'node:os'

/** The results of a benchmark, and the machine on which it ran. */
export interface Report<Results> {
  readonly benchmark: string
  /** The time of its end, in ISO 8601. */
  readonly at: string
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly system: string
    readonly node: string
    /** The load average of the last minute. */
    readonly load: number
  }
  readonly results: Results
}

/** Writes every figure to the file as JSON, where `--json FILE` names one. */
export function writeReport(file: string | undefined, benchmark: string, results: unknown): void {
  if (file === undefined) return
  const processors = cpus()
  const report: Report<unknown> = {
    benchmark,
    at: new Date().toISOString(),
    machine: {
      processor: processors[0]?.model ?? 'unknown',
      cores: processors.length,
      system: `${process.platform} ${release()}, ${process.arch}`,
      node: process.version,
      load: loadavg()[0] ?? Number.NaN,
    },
    results,
  }
  writeFileSync(file, `${JSON.stringify(report, undefined, 1)}\n`)
}
