import { availableParallelism } from 'node:os'
import type { CheckResult } from './client.ts'
import { clients } from './clients.ts'
import { installProject } from './install-project.ts'
import { canMakeNamespaces, runClient } from './namespace/namespaced-client.ts'
import { recordedDifferences, recordResults } from './recorded-results.ts'

/**
 * Runs foreign programs and SDKs against the gateway, each in a network namespace with loopback only. Names of clients run
 * these alone. `--write` records what works in `results.json` and in the document.
 */
const args = process.argv.slice(2)
const wanted = args.filter((arg) => !arg.startsWith('--'))
const unknown = wanted.filter((name) => !clients.some((client) => client.name === name))
if (unknown.length > 0) {
  console.error(`There is no client "${unknown[0]}". The clients are ${clients.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
if (!canMakeNamespaces()) {
  console.log('The clients are skipped: they need Linux, unshare, ip and the right to make network namespaces.')
  process.exit(process.env.TRIVIUM_REQUIRE_SERVICES === '1' ? 1 : 0)
}
const results = new Map<string, readonly CheckResult[]>()
const queue = clients.filter(({ name }) => wanted.length === 0 || wanted.includes(name)).values()
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (const client of queue) {
      const project = await timed(`installation of ${client.name}`, () => installProject(client.name))
      const found = await timed(client.name, () => runClient(client, project))
      results.set(client.name, found)
    }
  }),
)
if (args.includes('--write')) recordResults(results)
const failures = [...results].flatMap(([client, checks]) =>
  checks.flatMap(({ name, problems }) => problems.map((problem) => `${client}: ${name}: ${problem}`)),
)
const differences = recordedDifferences(results)
for (const problem of [...failures, ...differences]) console.error(problem)
const checks = [...results.values()].flat()
const failed = checks.filter(({ problems }) => problems.length > 0).length
console.log(`${checks.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 || differences.length > 0 || checks.length === 0 ? 1 : 0

async function timed<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  const start = performance.now()
  try {
    return await run()
  } finally {
    console.log(`${((performance.now() - start) / 1000).toFixed(1).padStart(5)} s  ${name}`)
  }
}
