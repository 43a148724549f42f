import { parseArgs } from 'node:util'
import { writeReport } from '../report.ts'
import { columnsOf, percentile, type Spread, spreadOf } from '../spread.ts'
import { openBareLab } from './bare-lab.ts'
import { type Lab, openLab } from './lab.ts'
import { fillMeasured, type MemoryFigures } from './memory.ts'
import { type Operation, operations, runRound, type Sample } from './operations.ts'

export const about =
  'virtual PCs over HTTP in projects of 10 to 2,000, compared with a bare server that stores documents (--sizes)'

/** The p50 in milliseconds of the Python server whose paths are implemented, over HTTP on two cores, in a project with few instances. */
const originalP50: Partial<Readonly<Record<Operation, number>>> = { create: 1.7, read: 1.3, update: 1.7, start: 6 }

const WARM_UP_ROUNDS = 25

export interface EmulationResult {
  readonly operation: Operation
  readonly server: 'reference server' | 'bare'
  readonly instances: number
  readonly cpuMicroseconds: Spread
  readonly p50Ms: number
  readonly p99Ms: number
}

interface Contestant extends Pick<EmulationResult, 'server' | 'instances'> {
  readonly lab: Lab
}

/**
 * Measures embedded virtual PCs over HTTP in projects of several sizes, each on a reference server of its own, and a server
 * that stores documents and runs nothing. The servers take turns. `DATABASE_URL` sets the store of all servers: a SQLite
 * file for each when it is unset, or `memory:`.
 */
export default async function emulation(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string' },
      rounds: { type: 'string', default: '25' },
      sizes: { type: 'string', default: '10,500,2000' },
      'cpu-prof': { type: 'boolean', default: false },
    },
  })
  const sizes = values.sizes.split(',').map(Number)
  const contestants: Contestant[] = []
  try {
    const memory: MemoryFigures[] = []
    for (const [index, size] of sizes.entries()) {
      const execArgv = values['cpu-prof'] ? ['--cpu-prof', `--cpu-prof-name=emulation-${size}.cpuprofile`] : []
      const lab = await openLab({ index, execArgv })
      contestants.push({ server: 'reference server', instances: size, lab })
      memory.push(await fillMeasured(lab, size))
    }
    const most = Math.max(...sizes)
    contestants.push({ server: 'bare', instances: most, lab: await openBareLab(most) })
    const results = await measure(contestants, Number(values.rounds))
    print(results, memory)
    writeReport(values.json, 'emulation', { operations: results, memory })
  } finally {
    await Promise.all(contestants.map(({ lab }) => lab.stop()))
  }
}

async function measure(contestants: readonly Contestant[], rounds: number): Promise<readonly EmulationResult[]> {
  for (const { lab } of contestants) for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await runRound(lab)
  const samples: Sample[][] = contestants.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { lab }] of contestants.entries()) samples[index]?.push(...(await runRound(lab)))
  }
  return operations.flatMap((operation) =>
    contestants.flatMap(({ server, instances }, index) => {
      const own = samples[index]?.filter((sample) => sample.operation === operation) ?? []
      if (own.length === 0) return []
      const times = own.flatMap((sample) => sample.times)
      return {
        operation,
        server,
        instances,
        cpuMicroseconds: spreadOf(own.map(({ cpu }) => cpu)),
        p50Ms: percentile(times, 0.5),
        p99Ms: percentile(times, 0.99),
      }
    }),
  )
}

function print(results: readonly EmulationResult[], memory: readonly MemoryFigures[]): void {
  for (const operation of operations) {
    console.log(`\n${operation}`)
    const own = results.filter((result) => result.operation === operation)
    const original = originalP50[operation]
    console.table(
      Object.fromEntries(
        own.map(({ server, instances, cpuMicroseconds, p50Ms, p99Ms }) => [
          `${server}, ${instances} instances`,
          {
            ...columnsOf(cpuMicroseconds, 'CPU us', 0),
            'p50 ms': p50Ms.toFixed(2),
            'p99 ms': p99Ms.toFixed(2),
            ...(original !== undefined &&
              server !== 'bare' && {
                'original p50 ms': original,
                'times faster': (original / p50Ms).toFixed(1),
              }),
          },
        ]),
      ),
    )
  }
  console.log('\nmemory, kilobytes an instance')
  console.table(
    Object.fromEntries(
      memory.map(({ instances, emptyResidentMegabytes, ...figures }) => [
        `${instances} instances`,
        {
          ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, value.toFixed(1)])),
          'empty server, MB': emptyResidentMegabytes.toFixed(0),
        },
      ]),
    ),
  )
}
