import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BtrfsResult } from '../../benchmarks/btrfs/index.ts'
import type { Measured as DatabaseResult } from '../../benchmarks/databases/figures.ts'
import type { EmulationResult } from '../../benchmarks/emulation/index.ts'
import type { MemoryFigures as LabMemory } from '../../benchmarks/emulation/memory.ts'
import type { GatewayReport } from '../../benchmarks/gateway/index.ts'
import type { StepFigures } from '../../benchmarks/path/index.ts'
import type { PolicyFigures } from '../../benchmarks/policies/index.ts'
import type { Report } from '../../benchmarks/report.ts'
import type { PageResult } from '../../benchmarks/rules/index.ts'
import type { CoreResult, PackageResult, StartResult } from '../../benchmarks/startup/index.ts'
import type { StorageResult } from '../../benchmarks/storage/index.ts'
import type { SwitchResult } from '../../benchmarks/switch/index.ts'
import type { TailsReport } from '../../benchmarks/tails/index.ts'
import type { TransportResult } from '../../benchmarks/transports/index.ts'
import type { WorkersResult } from '../../benchmarks/workers/index.ts'

interface Results {
  readonly gateway: GatewayReport
  readonly tails: TailsReport
  readonly path: readonly StepFigures[]
  readonly workers: readonly WorkersResult[]
  readonly policies: readonly PolicyFigures[]
  readonly transports: readonly TransportResult[]
  readonly storage: { readonly rules: number; readonly requests: readonly StorageResult[] }
  readonly rules: { readonly rules: number; readonly pages: readonly PageResult[] }
  readonly btrfs: { readonly qtrees: number; readonly work: readonly BtrfsResult[] }
  readonly emulation: { readonly operations: readonly EmulationResult[]; readonly memory: readonly LabMemory[] }
  readonly switch: SwitchResult
  readonly startup: {
    readonly start: StartResult
    readonly cores: readonly CoreResult[]
    readonly packages: readonly PackageResult[]
  }
  readonly databases: readonly DatabaseResult[]
}

export type Reports = { readonly [Name in keyof Results]: Report<Results[Name]> }

/** Reads the files that the benchmarks have written to the directory with `--json`, one for each. */
export function readReports(directory: string): Reports {
  const read = <Name extends keyof Results>(name: Name): Report<Results[Name]> =>
    JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8'))
  return {
    gateway: read('gateway'),
    tails: read('tails'),
    path: read('path'),
    workers: read('workers'),
    policies: read('policies'),
    transports: read('transports'),
    storage: read('storage'),
    rules: read('rules'),
    btrfs: read('btrfs'),
    emulation: read('emulation'),
    switch: read('switch'),
    startup: read('startup'),
    databases: read('databases'),
  }
}
