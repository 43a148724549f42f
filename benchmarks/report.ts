import { writeFileSync } from 'node:fs'
import { cpus, loadavg, release } from 'node:os'

/** What a benchmark has found out, and where. */
export interface Report<Results> {
  readonly benchmark: string
  /** When it was done, in ISO 8601. */
  readonly at: string
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly system: string
    readonly node: string
    /** How busy the machine was in the minute before, all processes included. */
    readonly load: number
  }
  readonly results: Results
}

/** Writes every figure into the file as JSON, where one was asked for with `--json FILE`. */
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
