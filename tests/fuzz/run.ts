import { parseArgs } from 'node:util'
import { fuzzService } from './fuzz-service.ts'
import { targets } from './targets/targets.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    requests: { type: 'string', default: '100000' },
    service: { type: 'string' },
  },
})

const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed)
const requests = Number(values.requests)
const wanted = targets.filter(({ name }) => values.service === undefined || name === values.service)
if (wanted.length === 0 || !Number.isInteger(seed) || !(requests > 0)) {
  console.error('npm run fuzz -- [--seed NUMBER] [--requests NUMBER] [--service gateway|emulation|storage]')
  process.exit(2)
}

/** Uncaught errors, which end the process of a service. */
const crashes: unknown[] = []
const onCrash = (crash: unknown) => void crashes.push(crash)
process.on('uncaughtException', onCrash).on('unhandledRejection', onCrash)

for (const target of wanted) {
  const [before, start] = [process.cpuUsage(), performance.now()]
  console.log(`${target.name}: ${requests} requests from seed ${seed}`)
  const report = await fuzzService(target, { seed, requests }).catch((error: unknown) => {
    // Otherwise `onCrash` would record the error, and the process would end without printing it.
    console.error(error)
    process.exit(1)
  })
  const { user, system } = process.cpuUsage(before)
  const seconds = (performance.now() - start) / 1000
  const counts = [...report.statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`)
  console.log(`  ${report.sent} sent in ${seconds.toFixed(0)} s (${((user + system) / 1e6).toFixed(0)} s of CPU)`)
  console.log(`  ${counts.join(', ')}`)
  const { milliseconds, request: slow } = report.slowest
  console.log(`  slowest: ${milliseconds.toFixed(0)} ms, ${slow?.method} ${slow?.target.slice(0, 200)}`)
  if (report.neverSucceeded.length > 0) console.log(`  never succeeded: ${report.neverSucceeded.join(', ')}`)
  console.log(`  ${report.findings.length} findings`)
  for (const { what, seed: at, request, reply, faults } of report.findings) {
    console.log(`\n  ${what}\n    repeat: npm run fuzz -- --service ${target.name} --seed ${at} --requests 2000`)
    console.log(`    ${shortened(request)}\n    ${shortened(reply)}`)
    for (const fault of faults) console.log(fault)
    process.exitCode = 1
  }
}

for (const crash of crashes) {
  console.log('\ncrash:', crash)
  process.exitCode = 1
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? 'no answer'
  return text.length > 1500 ? `${text.slice(0, 1500)}… (${text.length} characters)` : text
}
