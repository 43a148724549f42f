import { parseArgs } from 'node:util'
import { gaugeNames, type Sample } from './gauges.ts'
import { growthOf } from './growth.ts'
import { openSoak } from './soak.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, 'sample-seconds': { type: 'string', default: '15' } },
})
const minutes = Number(values.minutes)
const sampleSeconds = Number(values['sample-seconds'])
if (!(minutes > 0) || !(sampleSeconds > 0)) {
  console.error('npm run soak -- [--minutes NUMBER] [--sample-seconds NUMBER]')
  process.exit(2)
}

/** The share of the time in which caches fill and code is compiled. */
const WARM_UP = 0.2

/** With fewer samples, a slope is random. */
const MIN_SAMPLES = 4

const cells = (first: string, values: readonly (string | number)[]): string =>
  [first.padEnd(22), ...values.map((value) => String(value).padStart(19))].join('')

const row = (sample: Sample): string =>
  cells(
    `${sample.minutes.toFixed(2)} min`,
    gaugeNames.map((gauge) => (gauge.endsWith('Megabytes') ? sample[gauge].toFixed(1) : sample[gauge])),
  )

await using soak = await openSoak()
const samples: Sample[] = []
const sample = async (): Promise<number> => {
  const taken = await soak.rest()
  samples.push(taken)
  console.log(row(taken))
  return taken.minutes
}

await soak.warmUp()
console.log(cells('', gaugeNames))
for (let passed = await sample(); passed < minutes; passed = await sample()) {
  const end = performance.now() + sampleSeconds * 1000
  await soak.run(() => performance.now() < end)
}

const late = samples.filter((taken) => taken.minutes >= minutes * WARM_UP)
const growth = growthOf(late)
console.log(`\nGrowth in a minute, after ${(minutes * WARM_UP).toFixed(1)} min:`)
for (const { gauge, perMinute, maxPerMinute, isLeak } of growth) {
  console.log(
    `  ${gauge.padEnd(20)}${perMinute.toFixed(3).padStart(10)}, at most ${maxPerMinute}${isLeak ? '  <- grows' : ''}`,
  )
}

if (late.length < MIN_SAMPLES) {
  console.log(`  ${late.length} samples are too few. Use more minutes, or fewer seconds between samples.`)
  process.exitCode = 1
}

console.log('\nTurns:')
for (const [name, count] of soak.turns) console.log(`  ${name.padEnd(28)}${count}`)
for (const [what, count] of soak.failures) console.log(`\nfailed ${count} times: ${what}`)

const exitCode = await soak.stop()
console.log(`\nThe server stopped with exit code ${exitCode}.`)
if (growth.some(({ isLeak }) => isLeak) || soak.failures.size > 0 || exitCode !== 0) process.exitCode = 1
