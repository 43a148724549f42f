import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runLoad } from '../gateway/load.ts'
import { whole } from '../gateway/loads.ts'
import { cpuOfEach } from '../gateway/running-server.ts'
import { startMeasured } from '../measured-process.ts'
import { writeReport } from '../report.ts'
import { columnsOf, percentile, type Spread, spreadOf } from '../spread.ts'
import { type Step, startSteps } from './steps.ts'

export const about = 'what each part between the bare relay and npm start adds to a request (--requests, --warm-up)'

/** The CPU time of a request at one step. */
export interface StepFigures {
  readonly step: string
  /** Microseconds a request. */
  readonly cpu: Spread
  /** The quarter of the rounds that takes least, in microseconds: other work of the machine affects it less. */
  readonly leastQuarter: number
  /** What it adds to that of the step before. 0 for the first. */
  readonly adds: number
}

/** Measures servers that each do one thing more than the one before, from the bare relay to `npm start`, in turns. */
export default async function path(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string' },
      rounds: { type: 'string', default: '40' },
      requests: { type: 'string', default: '1000' },
      'warm-up': { type: 'string', default: '20000' },
    },
  })
  const upstream = await startMeasured({ module: join(import.meta.dirname, '../gateway/servers/upstream-process.ts') })
  const steps = await startSteps(upstream.url, whole)
  try {
    const figures = await measure(steps, {
      rounds: Number(values.rounds),
      requests: Number(values.requests),
      warmUp: Number(values['warm-up']),
    })
    print(figures)
    writeReport(values.json, 'path', figures)
  } finally {
    for (const process of new Set(steps.map((step) => step.process))) await process.stop()
    await upstream.stop()
  }
}

async function measure(
  steps: readonly Step[],
  { rounds, requests, warmUp }: { readonly rounds: number; readonly requests: number; readonly warmUp: number },
): Promise<readonly StepFigures[]> {
  for (const { target } of steps) await runLoad(whole, target, warmUp)
  const samples = steps.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1) {
    // Each step comes first as often as the others.
    for (let turn = 0; turn < steps.length; turn += 1) {
      const index = (round + turn) % steps.length
      const step = steps[index]
      if (step)
        samples[index]?.push(await cpuOfEach(step.process, requests, () => runLoad(whole, step.target, requests)))
    }
  }
  const least = samples.map((cpu) => percentile(cpu, 0.25))
  return steps.map(({ name }, index) => ({
    step: name,
    cpu: spreadOf(samples[index] ?? []),
    leastQuarter: least[index] ?? Number.NaN,
    adds: index === 0 ? 0 : (least[index] ?? Number.NaN) - (least[index - 1] ?? Number.NaN),
  }))
}

function print(figures: readonly StepFigures[]): void {
  console.log('\nwhole answers, step by step: CPU time a request')
  console.table(
    Object.fromEntries(
      figures.map(({ step, cpu, leastQuarter, adds }) => [
        step,
        { ...columnsOf(cpu, 'CPU us', 0), 'least quarter': leastQuarter.toFixed(0), adds: adds.toFixed(1) },
      ]),
    ),
  )
}
