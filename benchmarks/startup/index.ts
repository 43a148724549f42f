import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Budget, readBudgets } from '../../scripts/budgets/budgets.ts'
import { type Weight, weighPackages } from '../../scripts/budgets/package-weights.ts'
import { packPackages } from '../../scripts/packages/pack-packages.ts'
import { readManifests } from '../../scripts/packages/package-manifest.ts'
import { writeReport } from '../report.ts'
import { columnsOf, type Spread, spreadOf } from '../spread.ts'
import { type FirstAnswer, firstAnswer } from './first-answer.ts'
import { entriesOf, importCost } from './import-cost.ts'

export const about =
  'time from npm start to the first answer, and the cost of importing and installing each built package'

/** The limit from `npm start` to the first answer, in milliseconds. */
export const START_LIMIT_MS = 800

/** The most resident memory of the server at its first answer. */
export const RESIDENT_LIMIT_MEGABYTES = 120

/** The most CPU time for importing a core, in milliseconds. */
export const CORE_LIMIT_MS = 60

/** The packages of the three services. */
const cores = ['gateway-core', 'emulation-core', 'storage-core'].map((name) => `@trivium/${name}`)

export interface StartResult {
  readonly wallMs: Spread
  /** CPU time of the server's own process at its first answer. */
  readonly cpuMs: Spread
  readonly residentMegabytes: Spread
}

export interface CoreResult {
  readonly package: string
  /** CPU time in milliseconds for importing the package's entry `.`, without that of an empty process. */
  readonly cpu: Spread
}

export interface PackageResult {
  readonly package: string
  /** CPU time in milliseconds for importing all entries of the package, without that of an empty process. */
  readonly cpu: Spread
  readonly weight: Weight | undefined
  readonly budget: Budget | undefined
}

/** Measures the time from `npm start` to the first answer, and the import time and size of each built package. */
export default async function startup(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { json: { type: 'string' }, rounds: { type: 'string', default: '10' } },
  })
  const rounds = Number(values.rounds)
  const starts: FirstAnswer[] = []
  // The first start after a change of the sources also makes the bundle.
  const { wallMs: firstMs } = await firstAnswer()
  for (let round = 0; round < rounds; round += 1) starts.push(await firstAnswer())
  const of = (field: keyof FirstAnswer) => spreadOf(starts.map((start) => start[field]))
  const start: StartResult = {
    wallMs: of('wallMs'),
    cpuMs: of('cpuMs'),
    residentMegabytes: of('residentMegabytes'),
  }
  const coreResults = await measureCores(rounds)
  const packages = await measurePackages(rounds)
  console.log(`\nthe first start: ${firstMs.toFixed(0)} ms`)
  print(start, coreResults, packages)
  writeReport(values.json, 'startup', { start, cores: coreResults, packages })
}

async function measureCores(rounds: number): Promise<readonly CoreResult[]> {
  const samples = cores.map((name) => ({ name, cpu: [] as number[] }))
  for (let round = 0; round < rounds; round += 1) {
    const empty = await importCost([])
    for (const { name, cpu } of samples) cpu.push((await importCost([name])) - empty)
  }
  return samples.map(({ name, cpu }) => ({ package: name, cpu: spreadOf(cpu) }))
}

async function measurePackages(rounds: number): Promise<readonly PackageResult[]> {
  const budgets = readBudgets()
  const weights = await weighAll()
  const samples = [...entriesOf()].map(([name, specifiers]) => ({ name, specifiers, cpu: [] as number[] }))
  for (let round = 0; round < rounds; round += 1) {
    const empty = await importCost([])
    for (const { specifiers, cpu } of samples) cpu.push((await importCost(specifiers)) - empty)
  }
  return samples.map(({ name, cpu }) => ({
    package: name,
    cpu: spreadOf(cpu),
    weight: weights.get(name),
    budget: budgets.get(name),
  }))
}

async function weighAll(): Promise<ReadonlyMap<string, Weight>> {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-bench-'))
  try {
    const manifests = readManifests()
    return weighPackages(manifests, await packPackages([...manifests.keys()], directory))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

function print(start: StartResult, coreResults: readonly CoreResult[], packages: readonly PackageResult[]): void {
  console.log(`\nnpm start to its first answer: bars ${START_LIMIT_MS} ms and ${RESIDENT_LIMIT_MEGABYTES} MB`)
  console.table(
    Object.fromEntries(Object.entries(start).map(([name, spread]) => [name, columnsOf(spread, 'median', 0)])),
  )
  console.log(`\neach core: CPU time for importing it, bar ${CORE_LIMIT_MS} ms`)
  console.table(Object.fromEntries(coreResults.map(({ package: name, cpu }) => [name, columnsOf(cpu, 'CPU ms', 0)])))
  console.log('\neach package: CPU time for importing all its entries, its size, and its dependencies')
  console.table(
    Object.fromEntries(
      packages.map(({ package: name, cpu, weight, budget }) => [
        name,
        {
          ...columnsOf(cpu, 'CPU ms', 0),
          budget: budget?.importMs ?? '',
          'packed kB': weight?.packedKilobytes ?? '',
          'unpacked kB': weight?.unpackedKilobytes ?? '',
          dependencies: weight?.dependencies ?? '',
          'their kB': weight?.dependenciesKilobytes ?? '',
        },
      ]),
    ),
  )
}
